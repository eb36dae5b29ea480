// Files of observations for the tests: as the library writes them, and as others do.

import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Numbers that look random, and are the same in every run. */
export function random(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** One line with all twelve fields. */
export function testCase(property, runStart, fields) {
  return (
    JSON.stringify({
      type: "test_case",
      status: "passed",
      status_reason: "",
      representation: "",
      arguments: {},
      how_generated: "random",
      features: {},
      coverage: null,
      timing: {},
      metadata: {},
      property,
      run_start: runStart,
      ...fields,
    }) + "\n"
  );
}

const KINDS = ["data", "ping", "close"];

/** Cases of a codec: some are discarded, some repeated, one length fails. */
export function codecCases(property, runStart, n, { fails = true, seed = 7 } = {}) {
  const next = random(seed);
  let text = "";
  for (let at = 0; at < n; at++) {
    const kind = KINDS[next(10) < 6 ? 0 : next(10) < 8 ? 1 : 2];
    const length = kind === "ping" ? next(3) : next(24);
    const bytes = Array.from({ length }, () => next(256));
    const discarded = next(12) === 0;
    const failed = fails && !discarded && kind === "data" && length > 20;
    const lines = [3, 4, 5, ...(kind === "data" ? [8, 9] : []), ...(kind === "ping" ? [12] : []), ...(failed ? [10, 15] : []), ...(length > 10 ? [14] : [])];
    text += testCase(property, runStart, {
      status: discarded ? "gave_up" : failed ? "failed" : "passed",
      status_reason: discarded ? "assume!(frame.is_ok()) at src/codec.rs:14:9" : failed ? "length is one byte at src/codec.rs:10:5" : "",
      representation: `Frame { kind: ${kind}, bytes: [${bytes.join(", ")}] }`,
      features: { kind, length, nested: kind === "close" ? "true" : "false", "auto:choices": length + 2, ratio: length / 7 },
      coverage: { "src/codec.rs": lines },
      timing: { "generate:frame": 0.00001 * (1 + length), "execute:test": 0.00002 * (1 + next(50)) },
      metadata: { case: at + 1 },
    });
  }
  return text;
}

export function event(property, runStart, name, members) {
  return JSON.stringify({ event: name, property, run_start: runStart, ...members }) + "\n";
}

/** What the library tells of a run that failed. */
export function codecEvents(property, runStart) {
  const e = (name, members) => event(property, runStart, name, members);
  return [
    e("run_started", { version: "0.1.0", test: "tests::round_trip", crate_directory: "codec", process: 1, seed: 99, cases: null, coverage: true, weights: null, steered: false }),
    e("failure_found", { how: "random", case: 37, reason: "length is one byte", place: "src/codec.rs:10:5", representation: "Frame { kind: data, bytes: [7, 1, 9, 9, 200] }", choices: 41 }),
    ...[[4, "spans::delete", 23], [9, "spans::delete", 12], [31, "integer::find", 5], [52, "integer::find", 3]].map(([run, pass, choices], at) => e("shrink_step", { step: at + 1, run, pass, choices, representation: `Frame { kind: data, bytes: [step ${at + 1}] }` })),
    e("shrink_ended", { end: "minimal", steps: 4, runs: 213, choices_before: 41, choices: 3, seconds: 0.18, representation: "Frame { kind: data, bytes: [0] }", reason: "length is one byte", irrelevant: ["memo"], notes: ["before: [0]"] }),
    e("saved", { id: "3f9c", file: "regressions/codec.txt" }),
    e("cover", { label: "nested", place: "src/codec.rs:20:5", required: 0.3, held_in: 12, cases: 400, verdict: "missed" }),
    e("run_ended", { verdict: "failed", passed: 300, discarded: 30, seconds: 0.4, stopped_because: "a case failed", report: "FAIL codec::tests::round_trip", lines_lost: 0 }),
  ].join("");
}

export const CODEC_SOURCE = `pub fn decode(bytes: &[u8]) -> Result<Frame, Error> {
    // The first byte is the kind.
    let kind = bytes.first().ok_or(Error::Empty)?;
    let rest = &bytes[1..];
    match kind {
        // The length is one byte, which is not enough.
        0 => {
            let length = rest[0];
            let body = &rest[1..];
            Ok(Frame::data(&body[..length as usize]))
        }
        1 => Ok(Frame::Ping),
        2 => Ok(Frame::Close),
        _ if rest.len() > 10 => Err(Error::Long),
        _ => panic!("no such kind"),
    }
}
`;

/** A workspace with a source file, and what was observed in it. */
export function workspace(directory) {
  mkdirSync(join(directory, "src"), { recursive: true });
  writeFileSync(join(directory, "src/codec.rs"), CODEC_SOURCE);
  const observed = join(directory, "observed");
  mkdirSync(join(observed, "events"), { recursive: true });
  const property = "codec::tests::round_trip";
  writeFileSync(join(observed, "round_trip.1.jsonl"), codecCases(property, 1763282281.5, 400));
  writeFileSync(join(observed, "events", "round_trip.1.jsonl"), codecEvents(property, 1763282281.5));
  writeFileSync(join(observed, "round_trip.0.jsonl"), codecCases(property, 1762677481.5, 300, { fails: false, seed: 3 }));
  let poor = "";
  for (let at = 0; at < 200; at++) {
    const small = at % 4;
    poor += testCase("codec::tests::poor", 1763282290, {
      status: at % 2 ? "gave_up" : "passed",
      status_reason: at % 2 ? "assume!(a < b) at src/codec.rs:4:9" : "",
      representation: `(${small}, 1)`,
      features: { size: small % 2, always: "same" },
    });
  }
  writeFileSync(join(observed, "poor.jsonl"), poor);
  let good = "";
  for (let at = 0; at < 150; at++) good += testCase("codec::tests::good", 1763282295, { representation: `value ${at}`, features: { n: at } });
  writeFileSync(join(observed, "good.jsonl"), good);
  return observed;
}

export function append(file, text) {
  appendFileSync(file, text);
}
