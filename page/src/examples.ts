// The values themselves, grouped; more about one when it is opened.

import { h, redraw, released } from "./dom.ts";
import { setOnly, STATUS_WORDS } from "./filters.ts";
import { count, seconds } from "./format.ts";
import type { Source, Which } from "./source.ts";
import type { Example, Examples, Filter } from "./types.ts";

const PAGE = 20;

/** What of the list stays as it is while other things are drawn anew. */
export interface Listed {
  order: string;
  limit: number;
  marked: Set<number>;
}

export function newList(): Listed {
  return { order: "frequent", limit: PAGE, marked: new Set() };
}

export interface ExamplesOf {
  source: Source;
  which: Which;
  filters: Filter[];
  choose: (filters: Filter[]) => void;
  list: Listed;
  /** Draws it anew, with other settings. */
  again: () => void;
  canSteer: boolean;
  steer: (cases: number[], direction: "more" | "fewer") => void;
}

const ORDERS: [string, string][] = [
  ["frequent", "most frequent"],
  ["run", "as they were run"],
  ["shortest", "shortest"],
  ["longest", "longest"],
  ["slowest", "slowest"],
];

export async function drawExamples(container: HTMLElement, of: ExamplesOf): Promise<void> {
  const { source, which, filters, list } = of;
  const found = await source.examples(which, filters, list.order, 0, list.limit);
  await released();
  redraw(container, controls(of, found), items(of, found));
}

let typing: ReturnType<typeof setTimeout> | undefined;

function controls(of: ExamplesOf, found: Examples): HTMLElement {
  const { filters, list } = of;
  const text = filters.find((filter) => filter.on === "text")?.contains ?? "";
  const search = (value: string) => of.choose(setOnly(filters, value ? { on: "text", contains: value } : undefined, "text"));
  return h(
    "div",
    { class: "controls" },
    h("label", {}, "Search ", h("input", { type: "search", key: "search", value: text, placeholder: "text of a value", on: { input: (event: InputEvent) => { clearTimeout(typing); const { value } = event.target as HTMLInputElement; typing = setTimeout(() => search(value), 300); } } })),
    h(
      "label",
      {},
      "Order ",
      h("select", { key: "order", on: { change: (event: Event) => { list.order = (event.target as HTMLSelectElement).value; of.again(); } } }, ORDERS.map(([value, name]) => h("option", { value, selected: value === list.order }, name))),
    ),
    h("span", { class: "note" }, `${count(found.total)} distinct values${of.source.isLive ? "" : " in this report"}`),
    of.canSteer && list.marked.size
      ? [
          h("button", { type: "button", key: "marked-more", on: { click: () => of.steer([...list.marked], "more") } }, `More like these ${list.marked.size}`),
          h("button", { type: "button", key: "marked-fewer", on: { click: () => of.steer([...list.marked], "fewer") } }, "Fewer"),
        ]
      : null,
  );
}

function items(of: ExamplesOf, found: Examples): HTMLElement {
  const text = of.filters.find((filter) => filter.on === "text")?.contains ?? "";
  return h(
    "div",
    {},
    found.total === 0 ? h("p", { class: "note" }, "No case meets all of these conditions.") : null,
    h("ul", { class: "examples" }, found.examples.map((example) => h("li", {}, item(of, example, text)))),
    found.examples.length < found.total
      ? h("button", { type: "button", key: "more-examples", on: { click: () => { of.list.limit += PAGE * 3; of.again(); } } }, `Show more (${count(found.total - found.examples.length)} left)`)
      : null,
  );
}

function item(of: ExamplesOf, example: Example, search: string): HTMLElement {
  const text = "Ok" in example.text ? example.text.Ok : null;
  const facts = [STATUS_WORDS[example.status], example.how, example.seconds === null ? "" : seconds(example.seconds)].filter(Boolean).join(" · ");
  const details = h(
    "details",
    { key: `example:${example.case}` },
    h(
      "summary",
      {},
      h("span", { class: `status ${example.status}`, title: STATUS_WORDS[example.status] }, h("span", { class: "sr" }, STATUS_WORDS[example.status])),
      text === null ? h("i", {}, "Err" in example.text ? example.text.Err : "") : h("code", {}, highlighted(text, search)),
      example.count > 1 ? h("span", { class: "times" }, `×${count(example.count)}`) : null,
    ),
    h("p", { class: "note" }, facts, example.reason ? ` · ${example.reason}` : "", ` · case ${count(example.case + 1)}`, example.length > 1500 ? ` · ${count(example.length)} bytes, cut off above` : ""),
  );
  details.addEventListener("toggle", () => {
    if (details.open && !details.querySelector(".line")) {
      const place = h("div", { class: "line" }, "…");
      details.append(place);
      lineOf(of.source, of.which, example.case).then((node) => place.replaceChildren(node));
    }
  });
  if (!of.canSteer) return details;
  const mark = h("input", { type: "checkbox", key: `mark:${example.case}`, "aria-label": `mark case ${example.case + 1} for steering`, on: { change: () => { if (of.list.marked.has(example.case)) of.list.marked.delete(example.case); else of.list.marked.add(example.case); of.again(); } } });
  mark.checked = of.list.marked.has(example.case);
  return h("div", { class: "with-mark" }, mark, details);
}

/** The line of a case, laid out so that one can read it. */
export async function lineOf(source: Source, which: Which, at: number): Promise<Node> {
  try {
    const line = await source.line(which, at);
    let text = line;
    try {
      text = JSON.stringify(JSON.parse(line), null, 2);
    } catch {
      // Python writes NaN; a very long line is cut off. Then it is shown as it is.
    }
    return h("pre", {}, text);
  } catch (error) {
    return h("p", { class: "note" }, (error as Error).message);
  }
}

/** The text with what was searched for marked. */
export function highlighted(text: string, search: string): (Node | string)[] {
  if (!search) return [text];
  const parts: (Node | string)[] = [];
  const [small, wanted] = [text.toLowerCase(), search.toLowerCase()];
  // Small letters may be longer or shorter than capitals; then nothing is marked.
  if (small.length !== text.length) return [text];
  let at = 0;
  for (let found = small.indexOf(wanted); found >= 0; found = small.indexOf(wanted, at)) {
    parts.push(text.slice(at, found), h("mark", {}, text.slice(found, found + wanted.length)));
    at = found + wanted.length;
  }
  parts.push(text.slice(at));
  return parts;
}
