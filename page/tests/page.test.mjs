// The page as people use it, in a real browser.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { ROOT, launch, open, report, serve, temporary } from "./harness.mjs";
import { append, codecCases, event, testCase, workspace } from "./observations.mjs";

const PROPERTY = "codec::tests::round_trip";
let browser, folder, observed, server, lines;

before(async () => {
  browser = await launch();
  folder = temporary();
  observed = workspace(folder.path);
  server = await serve([observed], { root: folder.path });
  lines = readFileSync(join(observed, "round_trip.1.jsonl"), "utf8").trim().split("\n").map((line) => JSON.parse(line));
});

after(async () => {
  await browser.close();
  server.stop();
  folder.remove();
});

async function openProperty(name = PROPERTY, options = {}) {
  const opened = await open(browser, server.url, options);
  await opened.page.getByRole("link", { name, exact: true }).click();
  await opened.page.waitForSelector(".examples li");
  return opened;
}

/** How many cases are meant, as the bar above says. */
async function meant(page) {
  const text = await page.locator(".meant").textContent();
  return Number(/^([\d,]+) of/.exec(text)[1].replaceAll(",", ""));
}

/** Clicks, waits for so many cases, removes the tag, and waits for all. */
async function filters(page, click, tag, expected) {
  await click();
  await page.locator(".tag", { hasText: tag }).waitFor();
  await page.waitForFunction((n) => document.querySelector(".meant")?.textContent?.startsWith(`${n} of 400`), expected);
  assert.equal(await meant(page), expected, tag);
  // Everything else follows: the mosaic counts the same cases.
  const cells = await page.locator(".mosaic-cells .cell b").allTextContents();
  const inMosaic = cells.map((cell) => Number(cell.split(" of ")[0])).reduce((a, b) => a + b, 0);
  assert.equal(inMosaic, expected, `the mosaic at ${tag}`);
  while (await page.locator(".tag").count()) {
    const n = await page.locator(".tag").count();
    await page.locator(".tag").first().click();
    await page.waitForFunction((n) => document.querySelectorAll(".tag").length < n, n);
  }
}

test("the page is small, and asks nothing of other places", async () => {
  let bytes = 0;
  for (const path of ["/", "/app.js", "/app.css", "/icon.svg"]) {
    const response = await fetch(server.origin + path);
    assert.equal(response.status, 200);
    const policy = response.headers.get("content-security-policy");
    assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'/);
    assert.doesNotMatch(policy, /unsafe/);
    bytes += gzipSync(Buffer.from(await response.arrayBuffer())).length;
  }
  assert.ok(bytes < 300_000, `${bytes} bytes`);
  const { page, errors, close } = await open(browser, server.url);
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.reload();
  await page.waitForSelector(".overview");
  assert.ok(asked.length > 3 && asked.every((url) => url.startsWith(server.origin)), asked.join("\n"));
  assert.deepEqual(errors, []);
  // The key does not stay in the address.
  assert.doesNotMatch(page.url(), /key/);
  await close();
});

test("properties are listed, what needs eyes first", async () => {
  const { page, errors, close } = await open(browser, server.url);
  await page.waitForSelector(".overview");
  const rows = await page.locator(".overview tbody tr").allInnerTexts();
  assert.match(rows[0], /Failed[\s\S]*round_trip[\s\S]*2 runs/);
  assert.match(rows[1], /Passed with warnings[\s\S]*poor/);
  assert.match(rows[2], /Passed[\s\S]*good/);
  assert.deepEqual(errors, []);
  await close();
});

test("a failure comes first, with how it became simpler", async () => {
  const { page, errors, close } = await openProperty();
  const failed = lines.filter((line) => line.status === "failed");
  await page.waitForSelector(".counterexamples .value");
  assert.equal(await page.locator(".counterexamples .value").first().innerText(), "Frame { kind: data, bytes: [0] }");
  await page.getByText("5 more", { exact: true }).click();
  await page.getByText(failed.at(-1).representation).first().waitFor();
  await page.getByText("cargo retrospect replay codec::tests::round_trip --case 3f9c").waitFor();
  await page.getByText("4 steps in 213 runs, 41 → 3 choices: minimal").waitFor();
  await page.getByText("[step 4]").waitFor();
  await page.getByRole("slider").focus();
  await page.keyboard.press("ArrowLeft");
  await page.getByText("[step 3]").waitFor();
  await page.getByText("after 31 runs, by integer::find: 5 choices").waitFor();
  await page.waitForFunction(() => document.activeElement.dataset.key === "step");
  await page.getByText("`nested` held in 12 of 400 cases, which is too few: at least 30 % are demanded").waitFor();
  assert.deepEqual(errors, []);
  await close();
});

test("warnings say what to do", async () => {
  const { page, close } = await openProperty("codec::tests::poor");
  const warnings = (await page.locator(".warnings li").allInnerTexts()).join("\n");
  assert.match(warnings, /100 of 200 cases were discarded, 100 of them by assume!\(a < b\) at src\/codec.rs:4:9/);
  assert.match(warnings, /`satisfying`, which searches for what fulfils it/);
  assert.match(warnings, /98 of 100 tested values had been tested before: 2 are distinct/);
  assert.match(warnings, /`always` is `same` in all 100 cases/);
  await close();
});

test("every chart filters everything else, and tags take it back", async () => {
  const { page, errors, close } = await openProperty();
  const n = (meets) => lines.filter(meets).length;
  const bar = (key) => () => page.locator(`[data-key="${key}"]`).click();
  await filters(page, bar("kind=data"), "kind: data", n((line) => line.features.kind === "data"));
  await filters(page, bar("length=5"), "length: 5", n((line) => line.features.length === 5));
  await filters(page, bar("status:gave_up"), "discarded", n((line) => line.status === "gave_up"));
  const seen = new Set();
  const again = lines.map((line) => seen.has(line.representation) || !seen.add(line.representation));
  await filters(page, bar("seen:1"), "seen before", again.filter(Boolean).length);
  await filters(page, bar("cell:passed:1"), "passed", lines.filter((line, at) => line.status === "passed" && again[at]).length);
  await filters(page, bar("reason:assume!(frame.is_ok()) at src/codec.rs:14:9"), "assume!", n((line) => line.status === "gave_up"));
  await filters(page, bar("how:random"), "made by: random", 400);
  await filters(page, bar("line:14"), "reaches src/codec.rs:14", n((line) => line.coverage["src/codec.rs"].includes(14)));
  const total = (line) => Object.values(line.timing).reduce((a, b) => a + b, 0);
  const slow = page.locator('[data-key^="time:"]').last();
  const from = Number((await slow.getAttribute("data-key")).slice(5));
  await filters(page, () => slow.click(), "took", n((line) => Math.fround(total(line)) >= from));
  await filters(page, () => page.locator('[data-key^="cluster:"]').first().click(), "about the same lines", Number(/: (\d+) cases/.exec(await page.locator('[data-key^="cluster:"]').first().innerText())[1]));
  await filters(page, () => page.locator('[data-key="grid:3:0"]').click(), "kind: data", n((line) => line.features.kind === "data" && line.features.length === 3));
  assert.deepEqual(errors, []);
  await close();
});

test("several bars are chosen by dragging, and a piece of the run too", async () => {
  const { page, close } = await openProperty();
  const n = (meets) => lines.filter(meets).length;
  const drag = async (from, to) => {
    await page.mouse.move(...from);
    await page.mouse.down();
    await page.mouse.move((from[0] + to[0]) / 2, from[1]);
    await page.mouse.move(...to);
    await page.mouse.up();
  };
  const overBars = async () => {
    await page.locator('[data-key="length=4"]').hover();
    await page.mouse.down();
    await page.locator('[data-key="length=8"]').hover();
    await page.mouse.up();
  };
  await page.waitForSelector(".source-line");
  await filters(page, overBars, "length: 4 to below 9", n((line) => line.features.length >= 4 && line.features.length <= 8));
  await page.getByLabel("from", { exact: true }).fill("11");
  await page.getByLabel("to", { exact: true }).fill("60");
  await filters(page, () => page.getByRole("button", { name: "Choose", exact: true }).click(), "cases 11 to 60", 50);
  const chart = page.locator("svg.lines").nth(1);
  await chart.scrollIntoViewIfNeeded();
  const box = await chart.boundingBox();
  await drag([box.x + box.width * 0.5, box.y + box.height / 2], [box.x + box.width - 2, box.y + box.height / 2]);
  await page.locator(".tag", { hasText: /cases \d+ to 400/ }).waitFor();
  await close();
});

test("examples are grouped, searched, ordered, and open to their whole line", async () => {
  const { page, close } = await openProperty();
  await page.getByLabel("Search").fill("KIND: PING");
  await page.locator(".tag", { hasText: "contains" }).waitFor();
  const pings = lines.filter((line) => line.features.kind === "ping");
  await page.waitForFunction((n) => document.querySelector(".meant")?.textContent?.startsWith(`${n} of`), pings.length);
  const first = page.locator(".examples li").first();
  const empty = pings.filter((line) => line.representation === "Frame { kind: ping, bytes: [] }").length;
  await page.waitForFunction((n) => document.querySelector(".examples li .times")?.textContent === `×${n}`, empty);
  assert.equal(await first.locator("mark").first().innerText(), "kind: ping");
  await page.waitForFunction(() => document.activeElement.dataset.key === "search");
  await first.locator("summary").click();
  await first.locator("pre", { hasText: '"how_generated": "random"' }).waitFor();
  await page.getByRole("button", { name: "Clear all" }).click();
  await page.getByLabel("Order").selectOption("longest");
  const longest = lines.reduce((a, b) => (b.representation.length > a.representation.length ? b : a));
  await page.waitForFunction((text) => document.querySelector(".examples li code")?.textContent?.length === text, longest.representation.length);
  await page.getByRole("button", { name: /Show more \(\d+ left\)/ }).click();
  await page.waitForFunction(() => document.querySelectorAll(".examples li").length === 80);
  await close();
});

test("a running test is followed", async () => {
  const { page, errors, close } = await open(browser, server.url);
  const property = "live::tests::grows";
  const file = join(observed, "live.jsonl");
  const line = (n) => testCase(property, 1763282300, { representation: `v${n}`, features: { n } });
  writeFileSync(file, line(1));
  writeFileSync(join(observed, "events", "live.jsonl"), event(property, 1763282300, "run_started", { test: "t", crate_directory: "." }));
  await page.getByRole("link", { name: property }).waitFor();
  await page.getByText("Passed so far").waitFor();
  await page.getByRole("link", { name: property }).click();
  await page.getByText("1 distinct values").waitFor();
  // Half a line is no line yet.
  append(file, line(2).slice(0, 50));
  append(join(observed, "events", "live.jsonl"), event(property, 1763282300, "health", { text: "slow\nmake it quick" }));
  await page.getByText("make it quick").waitFor();
  await page.getByText("1 distinct values").waitFor();
  append(file, line(2).slice(50) + line(3));
  await page.getByText("3 distinct values").waitFor();
  append(join(observed, "events", "live.jsonl"), event(property, 1763282300, "run_ended", { verdict: "passed", passed: 3, discarded: 0, seconds: 1, stopped_because: "3 cases were run", report: "", lines_lost: 0 }));
  await page.getByText("stopped because 3 cases were run").waitFor();
  // A line that cannot be read is counted, and shown.
  append(file, "{ this is no line\n");
  await page.getByRole("link", { name: "← All properties" }).click();
  await page.getByText("1 of", { exact: false }).getByText("lines could not be read").click();
  await page.getByText("{ this is no line").waitFor();
  assert.deepEqual(errors, []);
  await close();
});

test("two runs are compared, and the same groups are shown of both", async () => {
  const { page, errors, close } = await open(browser, server.url);
  await page.getByLabel("One").selectOption({ index: 0 });
  await page.getByLabel("Other").selectOption({ index: 1 });
  await page.getByRole("button", { name: "Compare" }).click();
  await page.getByRole("heading", { name: "Two runs" }).waitFor();
  const facts = await page.locator(".facts").innerText();
  assert.match(facts, /Cases\s+300\s+400/);
  assert.match(facts, /Failed\s+0\s+32/);
  await page.locator(".panel", { hasText: "kind" }).getByText("data").first().waitFor();
  await page.getByText("Warned of only in the second").waitFor();
  assert.deepEqual(errors, []);
  // From the page of a property, too.
  await page.goBack();
  await page.waitForSelector(".overview");
  await page.getByRole("link", { name: PROPERTY, exact: true }).click();
  await page.getByLabel("Compare with").selectOption({ index: 1 });
  await page.getByRole("heading", { name: "Two runs" }).waitFor();
  await close();
});

test("everything can be done by keys alone", async () => {
  const { page, close } = await open(browser, server.url);
  await page.waitForSelector(".overview");
  const tabTo = async (meets, most = 80) => {
    for (let at = 0; at < most; at++) {
      await page.keyboard.press("Tab");
      if (await page.evaluate(meets)) return;
    }
    assert.fail(`not reached: ${meets}`);
  };
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Skip to the content");
  await tabTo(`document.activeElement.textContent === ${JSON.stringify(PROPERTY)}`);
  await page.keyboard.press("Enter");
  await page.waitForSelector(".examples li");
  // One stop for each chart; arrows move inside.
  await tabTo(`document.activeElement.dataset.key === "kind=data"`);
  await page.keyboard.press("ArrowDown");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.key), "kind=ping");
  await page.keyboard.press("Enter");
  await page.locator(".tag", { hasText: "kind: ping" }).waitFor();
  await page.waitForFunction(() => document.activeElement?.dataset.key === "kind=ping");
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-pressed")), "true");
  assert.match(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), /^ping: \d+ of \d+$/);
  await page.waitForFunction(() => / of 400 cases meet the conditions|\d+ of 400 cases/.test(document.getElementById("said").textContent));
  await page.keyboard.press("Tab");
  assert.match(await page.evaluate(() => document.activeElement.dataset.key), /^length=/);
  await page.keyboard.press("End");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.key), "length=23");
  await page.keyboard.press("Home");
  await page.keyboard.press("Space");
  await page.locator(".tag", { hasText: "length: 0" }).waitFor();
  await tabTo(`document.activeElement.matches(".examples summary")`, 200);
  await close();
});

test("markup and scripts in every field are text", async () => {
  const evil = '<img src=x onerror="window.broken=1"><script>window.broken=1</script>';
  const directory = join(folder.path, "evil");
  mkdirSync(join(directory, "events"), { recursive: true });
  let text = "";
  for (let at = 0; at < 30; at++) {
    text += testCase(evil, 1, {
      status: at % 3 === 0 ? "failed" : at % 3 === 1 ? "gave_up" : "passed",
      status_reason: evil,
      representation: evil + at,
      how_generated: evil,
      features: { [evil]: evil, [`${evil}2`]: at % 2 ? "a" : evil },
      coverage: { [evil]: [1, 2 + (at % 2)] },
      timing: { [evil]: 0.1 },
      metadata: { [evil]: evil },
    });
  }
  text += JSON.stringify({ type: "info", title: evil, content: evil, property: evil, run_start: 1 }) + "\n" + `not JSON ${evil}\n`;
  writeFileSync(join(directory, "a.jsonl"), text);
  const e = (name, members) => event(evil, 1, name, members);
  writeFileSync(join(directory, "events/a.jsonl"), e("run_started", { test: evil, crate_directory: evil }) + e("shrink_step", { step: 1, run: 1, pass: evil, choices: 9, representation: evil }) + e("shrink_step", { step: 2, run: 2, pass: evil, choices: 2, representation: evil }) + e("cover", { label: evil, place: evil, required: 0.5, held_in: 0, cases: 30, verdict: "missed" }) + e("health", { text: `${evil}\n${evil}` }) + e("saved", { id: evil, file: evil }) + e("run_ended", { verdict: "failed", report: evil, stopped_because: evil, lines_lost: 0 }));
  const other = await serve([directory], { root: folder.path });
  const { page, errors, close } = await open(browser, other.url);
  await page.getByRole("heading", { name: evil, exact: true }).waitFor();
  await page.waitForSelector(".examples li");
  await page.locator(".examples summary").first().click();
  await page.locator(".examples pre").first().waitFor();
  await page.getByLabel("Search").fill("<script>");
  await page.locator(".tag").waitFor();
  assert.equal(await page.evaluate(() => window.broken), undefined);
  assert.equal(await page.locator("main img, main script").count(), 0);
  assert.deepEqual(errors, []);
  await close();
  other.stop();
  // In a report as well.
  const out = join(folder.path, "evil.html");
  report([directory, "-o", out, "--root", folder.path]);
  const opened = await open(browser, `file://${out}`);
  await opened.page.getByRole("heading", { name: evil, exact: true }).or(opened.page.getByRole("link", { name: evil })).first().waitFor();
  assert.equal(await opened.page.evaluate(() => window.broken), undefined);
  assert.deepEqual(opened.errors, []);
  await opened.close();
});

test("other origins, other hosts and those without the key are refused", async () => {
  const ask = (path, options) => fetch(server.origin + path, options);
  assert.equal((await ask("/api/overview", { headers: { origin: "http://evil.example" } })).status, 403);
  assert.equal((await ask("/api/overview", { headers: { origin: server.origin } })).status, 200);
  const steer = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ property: PROPERTY, direction: "more" }) };
  const refused = await ask("/api/steer", steer);
  assert.equal(refused.status, 403);
  assert.match(await refused.text(), /open the address that the terminal shows/);
  assert.equal((await ask("/api/keep", { ...steer, headers: { ...steer.headers, "x-retrospect-key": "0".repeat(32) } })).status, 403);
  for (const path of ["/../../etc/passwd", "/api/../Cargo.toml", "/%2e%2e/%2e%2e/etc/passwd", "/src/codec.rs"]) {
    assert.equal((await ask(path)).status, 404, path);
  }
  for (const file of ["/etc/passwd", "../secret", "src/../../secret"]) {
    const response = await ask(`/api/source?property=${encodeURIComponent(PROPERTY)}&file=${encodeURIComponent(file)}`);
    assert.equal(response.status, 404, file);
  }
  assert.equal((await ask("/api/view?property=none")).status, 404);
  assert.equal((await ask(`/api/view?property=${PROPERTY}&filters=[{`)).status, 400);
  // A page of another origin, in a real browser.
  const elsewhere = await serve([observed], { root: folder.path });
  const { page, close } = await open(browser, elsewhere.url);
  const result = await page.evaluate(async (origin) => fetch(`${origin}/api/overview`).then((r) => r.text(), (e) => String(e)), server.origin);
  assert.match(result, /TypeError|Failed/);
  await close();
  elsewhere.stop();
});

test("a report is one file that needs nobody", async () => {
  const out = join(folder.path, "report.html");
  assert.match(report([observed, "-o", out, "--root", folder.path]), /report\.html: \d+ properties, \d+ kB/);
  const { page, errors, close } = await open(browser, `file://${out}`);
  await page.getByRole("link", { name: PROPERTY, exact: true }).click();
  await page.getByText("How it became simpler").waitFor();
  await page.getByText("let length = rest[0];").waitFor();
  await page.getByLabel("Search").fill("kind: close");
  await page.waitForFunction(() => [...document.querySelectorAll(".examples li code")].every((code) => code.textContent.includes("kind: close")) && document.querySelectorAll(".examples li").length > 0);
  await page.getByRole("button", { name: "Clear all" }).click();
  // The cases of the report are counted as the server counts them.
  const n = (meets) => lines.filter(meets).length;
  const bar = (key) => () => page.locator(`[data-key="${key}"]`).click();
  await filters(page, bar("kind=data"), "kind: data", n((line) => line.features.kind === "data"));
  await filters(page, bar("length=5"), "length: 5", n((line) => line.features.length === 5));
  await filters(page, bar("status:gave_up"), "discarded", n((line) => line.status === "gave_up"));
  await filters(page, bar("cell:failed:0"), "failed", n((line) => line.status === "failed"));
  await filters(page, bar("reason:assume!(frame.is_ok()) at src/codec.rs:14:9"), "assume!", n((line) => line.status === "gave_up"));
  await filters(page, bar("grid:3:0"), "kind: data", n((line) => line.features.kind === "data" && line.features.length === 3));
  const total = (line) => Object.values(line.timing).reduce((a, b) => a + b, 0);
  const slow = page.locator('[data-key^="time:"]').last();
  const from = Number((await slow.getAttribute("data-key")).slice(5));
  await filters(page, () => slow.click(), "took", n((line) => Math.fround(total(line)) >= from));
  await page.getByLabel("from", { exact: true }).fill("11");
  await page.getByLabel("to", { exact: true }).fill("60");
  await filters(page, () => page.getByRole("button", { name: "Choose", exact: true }).click(), "cases 11 to 60", 50);
  await bar("kind=ping")();
  await bar("nested=false")();
  await page.waitForFunction(() => document.querySelectorAll(".tag").length === 2);
  const pings = lines.filter((line) => line.features.kind === "ping" && line.features.nested === "false");
  assert.equal(await meant(page), pings.length);
  const tested = pings.filter((line) => line.status !== "gave_up");
  await page.locator(`[data-key="kind=ping"] .row-count`, { hasText: `${tested.length} of` }).waitFor();
  await page.waitForFunction(() => [...document.querySelectorAll(".examples li code")].every((code) => code.textContent.includes("kind: ping")));
  // What a report does not know cannot be chosen.
  assert.equal(await page.locator("button.hits").count(), 0);
  assert.deepEqual(errors, []);
  await close();
});

test("a counterexample is followed while it becomes simpler", async () => {
  const property = "live::tests::shrinks";
  const events = join(observed, "events", "shrinks.jsonl");
  const tell = (name, members) => append(events, event(property, 1763282400, name, members));
  writeFileSync(join(observed, "shrinks.jsonl"), testCase(property, 1763282400, { status: "failed", status_reason: "too long at src/codec.rs:3:1", representation: "[1, 2, 3, 4]" }));
  writeFileSync(events, event(property, 1763282400, "run_started", { test: "t", crate_directory: "." }));
  tell("failure_found", { how: "random", case: 1, reason: "too long", place: "src/codec.rs:3:1", representation: "[1, 2, 3, 4]", choices: 9 });
  const { page, errors, close } = await open(browser, server.url);
  await page.locator("tr", { hasText: property }).getByText("too long at src/codec.rs:3:1").waitFor();
  await page.getByRole("link", { name: property }).click();
  await page.getByText("Failed so far").waitFor();
  assert.equal(await page.getByText("How it became simpler").count(), 0);
  tell("shrink_step", { step: 1, run: 3, pass: "delete", choices: 5, representation: "[1, 4]" });
  await page.getByText("1 steps so far").waitFor();
  await page.getByText("the simplest so far, after 3 runs; shrinking goes on").waitFor();
  tell("shrink_step", { step: 2, run: 7, pass: "zero", choices: 4, representation: "[0, 4]" });
  await page.getByText("the simplest so far, after 7 runs; shrinking goes on").waitFor();
  assert.equal(await page.locator(".counterexamples .value").first().innerText(), "[0, 4]");
  // What has changed is marked, and the way begins with what was found.
  assert.equal(await page.locator(".evolution ins").innerText(), "0");
  assert.equal(await page.locator(".evolution del").innerText(), "1");
  await page.getByRole("slider").focus();
  await page.keyboard.press("Home");
  await page.getByText("as it was found (random): 9 choices").waitFor();
  tell("shrink_ended", { end: "minimal", steps: 2, runs: 40, choices_before: 9, choices: 4, seconds: 1, representation: "[0, 4]", reason: "too long", irrelevant: [], notes: [] });
  await page.getByText("2 steps in 40 runs, 9 → 4 choices: minimal").waitFor();
  // Who looks at a step stays there.
  await page.getByText("as it was found (random): 9 choices").waitFor();
  assert.deepEqual(errors, []);
  await close();
});

test("a failure stands above what there is to warn of", async () => {
  const { page, close } = await openProperty();
  const top = async (selector) => (await page.locator(selector).first().boundingBox()).y;
  assert.ok((await top(".counterexamples")) < (await top(".warnings li")));
  assert.ok((await top(".warnings li")) < (await top(".section.tiles .tile")));
  await close();
});

test("narrow windows and dark colours", async () => {
  const { page, errors, close } = await openProperty(PROPERTY, { viewport: { width: 360, height: 800 }, colorScheme: "dark" });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 360, `${wide} pixels wide`);
  const colour = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal(await colour(), "rgb(20, 23, 28)");
  await page.getByRole("button", { name: /Colours/ }).click();
  assert.equal(await colour(), "rgb(246, 247, 249)");
  assert.deepEqual(errors, []);
  await close();
});

test("features that were never seen together are named", async () => {
  const { page, close } = await openProperty();
  const panel = page.locator(".panel", { hasText: "Never seen together" });
  await panel.getByRole("button", { name: "kind close with nested false: show both features" }).click();
  await page.waitForFunction(() => document.querySelector(".grid-chart caption")?.textContent?.startsWith("nested (down) and kind (across)"));
  await close();
});

test("screenshots", async () => {
  const keep = process.env.RETROSPECT_SCREENSHOTS ? join(ROOT, "docs/page") : join(folder.path, "screenshots");
  mkdirSync(keep, { recursive: true });
  const { page, close } = await open(browser, server.url);
  await page.waitForSelector(".overview");
  await page.screenshot({ path: join(keep, "overview.png") });
  await page.getByRole("link", { name: PROPERTY, exact: true }).click();
  await page.waitForSelector(".source-line");
  await page.screenshot({ path: join(keep, "property.png") });
  await page.locator('[data-key="kind=data"]').click();
  await page.locator(".tag").waitFor();
  await page.locator(".features h2").scrollIntoViewIfNeeded();
  await page.evaluate(() => document.querySelector(".section.tiles").scrollIntoView());
  await page.screenshot({ path: join(keep, "filtered.png") });
  await page.evaluate(() => document.querySelector(".section.coverage").scrollIntoView());
  await page.screenshot({ path: join(keep, "coverage.png") });
  await page.emulateMedia({ colorScheme: "dark" });
  await page.evaluate(() => document.querySelector(".section.pairs").scrollIntoView());
  await page.screenshot({ path: join(keep, "pairs-dark.png") });
  assert.ok(readFileSync(join(keep, "overview.png")).length > 10_000);
  await close();
});
