// The real subcommand, the real page, a real browser.

import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

/** The subcommand as cargo built it. */
export function binary() {
  const target = resolve(ROOT, process.env.CARGO_TARGET_DIR ?? "target");
  const path = process.env.RETROSPECT_BINARY ?? join(target, "debug/cargo-retrospect");
  if (!existsSync(path)) throw new Error(`${path} is not there: cargo build -p cargo-retrospect`);
  return path;
}

export function temporary() {
  const path = mkdtempSync(join(tmpdir(), "retrospect-page-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Starts `cargo retrospect ui`, and gives its address. */
export async function serve(paths, { root, env = {}, extra = [] } = {}) {
  const process_ = spawn(binary(), ["ui", "--no-open", "--port", "0", ...(root ? ["--root", root] : []), ...paths, ...extra], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...env },
  });
  const url = await new Promise((found, failed) => {
    let said = "";
    process_.stdout.on("data", (data) => {
      said += data;
      const address = /^(http:\S+)/m.exec(said);
      if (address) found(address[1]);
    });
    process_.on("exit", (code) => failed(new Error(`it ended with ${code}: ${said}`)));
  });
  return { url, origin: new URL(url).origin, key: /key=(\w+)/.exec(url)[1], pid: process_.pid, stop: () => process_.kill() };
}

export function report(args, options = {}) {
  return execFileSync(binary(), ["report", ...args], { encoding: "utf8", ...options });
}

/** Debian's Chromium, which asks nothing of the network. */
export async function launch() {
  const candidates = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
  const executablePath = candidates.find((path) => path && existsSync(path));
  if (!executablePath) throw new Error("there is no Chromium: apt-get install chromium, or name it in CHROMIUM");
  return chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
}

/** A page that fails the test on any error in its console. */
export async function open(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const errors = [];
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(String(error)));
  await page.goto(url);
  return { page, errors, close: () => context.close() };
}
