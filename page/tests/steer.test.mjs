// From the page back into the generator: a real crate, its real test, run again with other weights.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { ROOT, launch, open, serve, temporary } from "./harness.mjs";

const MANIFEST = `[package]
name = "frames"
version = "0.0.0"
edition = "2024"

[workspace]

[dependencies]
retrospect = { path = ${JSON.stringify(join(ROOT, "crates/retrospect"))} }

[profile.dev]
debug = 0
`;

const LIBRARY = `#[cfg(test)]
mod tests {
    use retrospect::prelude::*;

    #[derive(Debug, Clone, PartialEq, Generate)]
    enum Frame {
        Data(Vec<u8>),
        Ping(u8),
        Close(bool),
    }

    #[property(cases = 400)]
    fn is_itself(frame: Frame) {
        assert_eq!(frame, frame.clone());
    }
}
`;

let browser, folder, observed, server;
// The folder, the flags and the profile of the crates in crates/retrospect/tests/under_cargo: the
// library is compiled once for all of them.
const target = resolve(ROOT, process.env.CARGO_TARGET_DIR ?? "target", "tmp/under_cargo/target");
const building = { CARGO_TARGET_DIR: target, RUSTFLAGS: "--cap-lints=allow" };

before(async () => {
  folder = temporary();
  mkdirSync(join(folder.path, "src"));
  writeFileSync(join(folder.path, "Cargo.toml"), MANIFEST);
  writeFileSync(join(folder.path, "src/lib.rs"), LIBRARY);
  writeFileSync(join(folder.path, "Cargo.lock"), readFileSync(join(ROOT, "Cargo.lock")));
  observed = join(folder.path, "observed");
  execFileSync("cargo", ["test", "--quiet", "--offline"], {
    cwd: folder.path,
    env: { ...process.env, ...building, RETROSPECT_OBSERVE: observed },
    stdio: ["ignore", "ignore", "inherit"],
  });
  browser = await launch();
  server = await serve([observed], { root: folder.path, env: building, extra: ["--", "--offline"] });
});

after(async () => {
  await browser?.close();
  server?.stop();
  folder.remove();
});

/** The share of pings among the random cases of each run, the oldest first. */
function shares() {
  const files = readdirSync(observed).filter((name) => name.endsWith(".jsonl")).sort();
  return files.map((name) => {
    const lines = readFileSync(join(observed, name), "utf8").trim().split("\n").map((line) => JSON.parse(line));
    const random = lines.filter((line) => line.how_generated === "random");
    return random.filter((line) => line.representation.startsWith("Ping")).length / random.length;
  });
}

test("more like these: chosen on the page, drawn by the generator, kept for the test", async () => {
  const { page, errors, close } = await open(browser, server.url);
  await page.locator('[data-key="auto:frame=Ping"]').click();
  await page.locator(".tag", { hasText: "auto:frame: Ping" }).waitFor();
  // The test may be over before anybody has looked again, so all that is said is kept.
  await page.evaluate(() => {
    window.said = [];
    const listen = () => document.querySelectorAll("[role=status]").forEach((status) => window.said.push(status.textContent));
    new MutationObserver(listen).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  await page.getByRole("button", { name: "More like these", exact: true }).click();
  await page.waitForFunction(() => window.said.some((text) => /Running the test again, with more like \d+ examples/.test(text)));
  await page.getByRole("link", { name: "Before and after" }).waitFor({ timeout: 300_000 });
  const [before, afterwards] = shares();
  assert.ok(before < 0.6, `${before} before`);
  assert.ok(afterwards > 0.9, `${afterwards} after`);
  // Both runs, side by side.
  await page.getByRole("link", { name: "Before and after" }).click();
  await page.getByRole("heading", { name: "Two runs" }).waitFor();
  const row = await page.locator(".panel", { hasText: "auto:frame" }).locator("li", { hasText: "Ping" }).first().getAttribute("aria-label");
  const [, first, second] = /Ping: (\d+|> 99|< 1) % in the first, (> )?(\d+) % in the second/.exec(row).map((text) => text);
  assert.ok(Number(first) < 60, row);
  assert.ok(/(9\d|100) % in the second/.test(row), `${row} ${second}`);
  await page.goBack();
  // Fewer, of the new run.
  await page.getByRole("link", { name: "Show the new run" }).click();
  await page.getByText(/This run was steered by \d+ examples/).first().waitFor();
  await page.getByRole("button", { name: "Keep the weights" }).click();
  await page.getByText('#[property(weights = "weights/tests.is_itself.toml")]').waitFor();
  assert.ok(existsSync(join(folder.path, "weights/tests.is_itself.toml")));
  await page.getByRole("button", { name: "Forget these wishes" }).click();
  await page.getByText("Forget these wishes").waitFor({ state: "detached" });
  assert.deepEqual(errors, []);
  await close();
});

test("examples are marked one by one, to be made less often", async () => {
  const { page, close } = await open(browser, server.url);
  await page.waitForSelector(".examples li");
  await page.getByLabel("Search").fill("Ping");
  await page.locator(".tag").waitFor();
  await page.waitForFunction(() => [...document.querySelectorAll(".examples li code")].every((code) => code.textContent.startsWith("Ping")));
  const before = shares().length;
  await page.locator(".examples input[type=checkbox]").nth(0).check();
  await page.locator(".examples input[type=checkbox]").nth(1).check();
  await page.getByRole("button", { name: "More like these 2" }).waitFor();
  await page.locator('[data-key="marked-fewer"]').click();
  await page.getByText(/Ran with fewer like 2/).waitFor({ timeout: 300_000 });
  assert.equal(shares().length, before + 1);
  await close();
});

test("a test that does not compile is told of", async () => {
  writeFileSync(join(folder.path, "src/lib.rs"), "compile_error!(\"not now\");");
  const { page, close } = await open(browser, server.url);
  await page.locator('[data-key="auto:frame=Close"]').click();
  await page.getByRole("button", { name: "More like these", exact: true }).click();
  await page.getByText("The test did not run.").waitFor({ timeout: 300_000 });
  await page.getByText("not now").first().waitFor();
  await close();
});
