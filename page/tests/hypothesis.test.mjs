// What other tools write: a real Hypothesis, and the format of Haskell's QuickCheck.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { ROOT, launch, open, serve, temporary } from "./harness.mjs";

const TEST = `
from hypothesis import given, event, target, assume, settings, strategies as st

@settings(max_examples=150, database=None, derandomize=True)
@given(st.lists(st.integers()), st.booleans())
def test_sum_is_small(xs, flag):
    assume(len(xs) != 3)
    event("length", len(xs))
    event("flag", payload=str(flag))
    target(float(len(xs)), label="long")
    assert sum(xs) < 1000

@settings(max_examples=80, database=None, derandomize=True)
@given(st.text())
def test_text(s):
    event(f"empty: {s == ''}")
    assert s == s

for test in (test_sum_is_small, test_text):
    try:
        test()
    except BaseException as error:
        print(type(error).__name__)
`;

let browser, folder, server;

before(async () => {
  folder = temporary();
  // Once in a target directory of the project; a virtual environment of its own.
  const environment = resolve(ROOT, process.env.CARGO_TARGET_DIR ?? "target", "page-hypothesis");
  const python = join(environment, "bin/python");
  if (!existsSync(join(environment, "ready"))) {
    execFileSync("python3", ["-m", "venv", environment]);
    execFileSync(python, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "hypothesis==6.140.0"], { stdio: "inherit" });
    writeFileSync(join(environment, "ready"), "");
  }
  writeFileSync(join(folder.path, "test_it.py"), TEST);
  const said = execFileSync(python, ["test_it.py"], { cwd: folder.path, encoding: "utf8", env: { ...process.env, HYPOTHESIS_EXPERIMENTAL_OBSERVABILITY: "1" } });
  assert.match(said, /AssertionError/);
  // As tyche-quickcheck writes them: fewer fields, pairs of numbers.
  const observations = join(folder.path, ".quickcheck/observations");
  mkdirSync(observations, { recursive: true });
  let text = "";
  for (let at = 0; at < 60; at++) {
    text += JSON.stringify({ type: "test_case", run_start: 1701036095.03, property: "prop_insertValid", status: at % 9 ? "passed" : "gave_up", status_reason: "", representation: `Node ${at} Leaf Leaf`, features: { size: at % 7, shape: [["width", at % 5], ["height", at % 4]] }, coverage: null }) + "\n";
  }
  writeFileSync(join(observations, "prop_insertValid.jsonl"), text);
  browser = await launch();
  server = await serve([join(folder.path, ".hypothesis/observed"), observations], { root: folder.path });
});

after(async () => {
  await browser?.close();
  server?.stop();
  folder.remove();
});

test("what Hypothesis observed opens in the page", async () => {
  const { page, errors, close } = await open(browser, server.url);
  await page.getByRole("link", { name: "test_sum_is_small" }).waitFor();
  assert.equal(await page.getByText("could not be read").count(), 0);
  await page.getByRole("link", { name: "test_sum_is_small" }).click();
  await page.locator(".badge.failed").first().waitFor();
  // Shrinking is told by its own lines, and not counted among what was generated.
  await page.getByText("How it became simpler").waitFor();
  await page.locator(".counterexamples pre", { hasText: /xs=\[\s*1000/ }).first().waitFor();
  await page.getByText(/and \d+ while shrinking/).waitFor();
  await page.getByRole("heading", { name: /^target:long/ }).waitFor();
  await page.getByRole("heading", { name: "Coverage" }).waitFor();
  await page.getByText("assert sum(xs) < 1000").first().waitFor();
  await page.getByRole("heading", { name: "What tools say" }).waitFor();
  assert.deepEqual(errors, []);
  await close();
});

test("and what QuickCheck observed, pairs too", async () => {
  const { page, errors, close } = await open(browser, server.url);
  await page.getByRole("link", { name: "prop_insertValid" }).click();
  await page.getByText("shape: height (down) and shape: width (across)").waitFor();
  await page.locator('[data-key="size=3"]').click();
  await page.locator(".tag", { hasText: "size: 3" }).waitFor();
  assert.deepEqual(errors, []);
  await close();
});
