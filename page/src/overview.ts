// All properties, those first that one should look at.

import { h, redraw } from "./dom.ts";
import { count, moment, share } from "./format.ts";
import { write } from "./route.ts";
import type { Overview, Row, Verdict } from "./types.ts";

export const VERDICTS: Record<Verdict, [string, string]> = {
  failed: ["✗", "Failed"],
  warning: ["!", "Passed with warnings"],
  passed: ["✓", "Passed"],
};

export function badge(verdict: Verdict, running = false): HTMLElement {
  const [icon, text] = VERDICTS[verdict];
  return h("span", { class: `badge ${verdict}` }, h("span", { "aria-hidden": "true" }, icon), running ? `${text} so far` : text);
}

let wanted = "";

export function drawOverview(container: Element, overview: Overview, isLive: boolean): void {
  const shown = overview.properties.filter((row) => row.name.toLowerCase().includes(wanted.toLowerCase()));
  const search =
    overview.properties.length > 6
      ? h(
          "label",
          { class: "search" },
          "Find ",
          h("input", { type: "search", key: "find", value: wanted, placeholder: "part of a name", on: { input: (event: InputEvent) => { wanted = (event.target as HTMLInputElement).value; drawOverview(container, overview, isLive); } } }),
        )
      : null;
  redraw(
    container,
    h("div", { class: "page-head" }, h("h1", {}, "What was tested"), summary(overview), search),
    overview.properties.length === 0 ? empty(overview) : table(shown),
    isLive && overview.properties.length > 0 ? compareForm(overview.properties) : null,
    troubles(overview),
  );
}

function summary(overview: Overview): HTMLElement {
  const of = (verdict: Verdict) => overview.properties.filter((row) => row.verdict === verdict).length;
  const cases = overview.properties.reduce((sum, row) => sum + row.passed + row.failed + row.discarded, 0);
  return h("p", { class: "lead" }, `${count(overview.properties.length)} properties: ${of("failed")} failed, ${of("warning")} with warnings, ${of("passed")} passed. ${count(cases)} cases.`);
}

function empty(overview: Overview): HTMLElement {
  return h(
    "div",
    { class: "panel empty" },
    h("h2", {}, overview.loaded ? "Nothing was observed yet" : "Reading…"),
    h("p", {}, "Run your properties with observations on, and they appear here by themselves:"),
    h("pre", {}, "cargo retrospect test"),
    overview.progress.problems.map((problem) => h("p", { class: "note" }, problem)),
  );
}

function table(rows: Row[]): HTMLElement {
  return h(
    "div",
    { class: "panel scroll listed" },
    h(
      "table",
      { class: "overview" },
      h("thead", {}, h("tr", {}, ["Verdict", "Property", "Tested", "Distinct", "Discarded", "Last run"].map((text) => h("th", { scope: "col" }, text)))),
      h("tbody", {}, rows.map(line)),
    ),
  );
}

function line(row: Row): HTMLElement {
  const tested = row.passed + row.failed;
  const generated = tested + row.discarded;
  const last = row.runs.at(-1);
  return h(
    "tr",
    {},
    h("td", {}, badge(row.verdict, row.running)),
    h("th", { scope: "row" }, h("a", { href: write({ page: "property", which: { property: row.name, run: null }, filters: [] }), key: `open:${row.name}` }, row.name), row.warnings ? h("small", {}, `${row.warnings} ${row.warnings === 1 ? "warning" : "warnings"}`) : null, row.headline ? h("p", { class: "headline" }, row.headline) : null),
    h("td", { class: "number" }, count(tested)),
    h("td", { class: "number" }, meter(row.distinct, tested, "distinct")),
    h("td", { class: "number" }, meter(row.discarded, generated, "discarded")),
    h("td", {}, last ? moment(last[0]) : "", row.runs.length > 1 ? h("small", {}, `${row.runs.length} runs`) : null),
  );
}

function meter(part: number, whole: number, kind: string): HTMLElement {
  return h("span", { class: `meter ${kind}` }, h("span", { class: "fill", "aria-hidden": "true", style: { width: `${whole ? (part / whole) * 100 : 0}%` } }), h("span", {}, share(part, whole)));
}

/** Two runs to look at side by side. */
function compareForm(rows: Row[]): HTMLElement | null {
  const options = () => rows.flatMap((row) => row.runs.map(([start, n, steered]) => h("option", { value: JSON.stringify([row.name, start]) }, `${row.name} — ${moment(start)}, ${count(n)} cases${steered ? ", steered" : ""}`)));
  if (options().length < 2) return null;
  const [a, b] = [h("select", { id: "compare-a", key: "compare-a" }, options()), h("select", { id: "compare-b", key: "compare-b" }, options())];
  // A run and the one before it are what one mostly wants to compare.
  const again = rows.findIndex((row) => row.runs.length > 1);
  const before = rows.slice(0, Math.max(0, again)).reduce((sum, row) => sum + row.runs.length, 0) + (again < 0 ? 0 : rows[again]!.runs.length - 2);
  [a.selectedIndex, b.selectedIndex] = [before, before + 1];
  const open = (event: Event) => {
    event.preventDefault();
    const which = (select: HTMLSelectElement) => {
      const [property, run] = JSON.parse(select.value) as [string, number];
      return { property, run };
    };
    location.hash = write({ page: "compare", a: which(a), b: which(b) });
  };
  return h(
    "form",
    { class: "panel compare-form", "aria-label": "Compare two runs", on: { submit: open } },
    h("h2", {}, "Compare two runs"),
    h("label", { for: "compare-a" }, "One"),
    a,
    h("label", { for: "compare-b" }, "Other"),
    b,
    h("button", { type: "submit", key: "compare" }, "Compare"),
  );
}

/** What could not be read. */
function troubles(overview: Overview): HTMLElement | null {
  const { bad, lost, progress } = overview;
  if (overview.bad_lines === 0 && lost.length === 0 && progress.unfinished === 0 && progress.problems.length === 0) return null;
  return h(
    "details",
    { class: "panel", key: "troubles" },
    h("summary", {}, overview.bad_lines ? `${count(overview.bad_lines)} of ${count(overview.lines)} lines could not be read` : "About the files"),
    progress.unfinished ? h("p", {}, `${progress.unfinished} ${progress.unfinished === 1 ? "file ends" : "files end"} in half a line: a test is running, or was stopped.`) : null,
    progress.problems.map((problem) => h("p", {}, problem)),
    lost.map((file) => h("p", {}, `${file.file} was ${file.state}: its charts are still here, its texts may not be.`)),
    bad.length ? h("ul", { class: "bad-lines" }, bad.map((one) => h("li", {}, h("b", {}, one.problem), ` in ${one.file}, at byte ${count(one.offset)}`, h("pre", {}, one.text)))) : null,
    overview.bad_lines > bad.length ? h("p", {}, `The first ${bad.length} are shown.`) : null,
  );
}
