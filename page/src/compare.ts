// Two runs side by side.

import { panel } from "./charts.ts";
import { h, redraw } from "./dom.ts";
import { count, moment, seconds, share, word } from "./format.ts";
import { badge } from "./overview.ts";
import { write } from "./route.ts";
import type { Source, Which } from "./source.ts";
import type { Comparison, View } from "./types.ts";

export async function drawCompare(container: Element, source: Source, a: Which, b: Which): Promise<void> {
  const compared = await source.compare(a, b);
  redraw(
    container,
    h("div", { class: "page-head" }, h("h1", {}, "Two runs"), h("p", { class: "lead" }, "Features that differ most come first.")),
    h("div", { class: "sides" }, side(a, compared.a, "a"), side(b, compared.b, "b")),
    facts(compared),
    warnings(compared),
    h("h2", {}, "Features"),
    h("div", { class: "charts" }, compared.features.map(feature)),
  );
}

function side(which: Which, view: View, kind: string): HTMLElement {
  return h(
    "div",
    { class: `panel side ${kind}` },
    h("p", { class: "note" }, kind === "a" ? "One" : "Other"),
    h("h3", {}, h("a", { href: write({ page: "property", which, filters: [] }) }, which.property)),
    badge(view.verdict),
    h("p", { class: "note" }, moment(view.run_start), view.history.steered ? ", steered" : ""),
  );
}

function facts({ a, b }: Comparison): HTMLElement {
  const rows: [string, (view: View) => string][] = [
    ["Cases", (view) => count(view.counts.generated)],
    ["Distinct values tested", (view) => `${count(view.counts.distinct)} (${share(view.counts.distinct, view.counts.passed + view.counts.failed)})`],
    ["Discarded", (view) => `${count(view.counts.discarded)} (${share(view.counts.discarded, view.counts.generated)})`],
    ["Failed", (view) => count(view.counts.failed)],
    ["Time in cases", (view) => seconds(view.counts.seconds)],
    ["Lines reached", (view) => count(view.files.reduce((sum, file) => sum + file.lines, 0))],
    ["Combinations of features seen", (view) => `${count(view.combinations.seen)} of ${count(view.combinations.possible)}`],
    ["Warnings", (view) => count(view.warnings.length)],
  ];
  return h(
    "div",
    { class: "panel scroll" },
    h(
      "table",
      { class: "facts" },
      h("thead", {}, h("tr", {}, h("td", {}), h("th", { scope: "col" }, "One"), h("th", { scope: "col" }, "Other"))),
      h("tbody", {}, rows.filter(([, of]) => !/^0( of 0)?$/.test(of(a)) || of(a) !== of(b)).map(([name, of]) => h("tr", { class: of(a) === of(b) ? "" : "differs" }, h("th", { scope: "row" }, name), h("td", {}, of(a)), h("td", {}, of(b))))),
    ),
  );
}

function warnings({ a, b }: Comparison): HTMLElement | null {
  const texts = (view: View) => view.warnings.map((warning) => warning.text);
  const gone = texts(a).filter((text) => !texts(b).includes(text));
  const fresh = texts(b).filter((text) => !texts(a).includes(text));
  if (gone.length + fresh.length === 0) return null;
  const list = (title: string, of: string[]) => (of.length ? [h("h3", {}, title), h("ul", {}, of.map((text) => h("li", {}, text)))] : null);
  return h("div", { class: "panel" }, list("Warned of only in the first", gone), list("Warned of only in the second", fresh));
}

function feature(of: Comparison["features"][0]): HTMLElement {
  const part = (n: number, at: 0 | 1) => (of.cases[at] ? n / of.cases[at] : 0);
  const most = Math.max(1e-9, ...of.bins.flatMap(([, [a, b]]) => [part(a, 0), part(b, 1)]));
  const bar = (n: number, at: 0 | 1) => h("span", { class: `pair-bar ${at ? "b" : "a"}`, style: { width: `${(part(n, at) / most) * 100}%` } });
  return panel(
    of.name,
    of.cases.includes(0) ? "only one of them has it" : `${Math.round(of.difference * 100)} % differ`,
    h(
      "ul",
      { class: "compared" },
      of.bins
        .filter(([, [a, b]]) => a + b > 0)
        .map(([label, [a, b]]) =>
          h("li", { "aria-label": `${word(label)}: ${share(a, of.cases[0])} in the first, ${share(b, of.cases[1])} in the second` }, h("span", { class: "row-label" }, word(label)), h("span", { class: "pair", "aria-hidden": "true" }, bar(a, 0), bar(b, 1)), h("span", { class: "row-count" }, `${share(a, of.cases[0])} → ${share(b, of.cases[1])}`)),
        ),
    ),
  );
}
