// Charts. What can be clicked is a button with a label, so that keys and screen readers reach it; lines and areas are drawn by d3.

import { max } from "d3-array";
import { scaleLinear } from "d3-scale";
import { area, curveStepAfter, line } from "d3-shape";
import { group, h, s } from "./dom.ts";
import * as filters from "./filters.ts";
import { cases, count, seconds, share, short, word } from "./format.ts";
import type { Chart, Filter, Grid, Moment, ShrinkStep, Status, Timing, View } from "./types.ts";

/** What a chart does with a click. Nothing: it is only looked at. */
export type Choose = ((filters: Filter[]) => void) | null;

/** A panel with a heading. */
export function panel(title: string, extra: string | null, ...children: (Node | null)[]): HTMLElement {
  return h("section", { class: "panel", "aria-label": title }, h("h3", {}, title, extra && h("small", {}, extra)), ...children);
}

/** A feature: upright bars for numbers, lying ones for words. */
export function featureChart(chart: Chart, chosen: Filter[], choose: Choose, filtered: boolean): HTMLElement {
  const n = chart.numbers;
  const extra = n
    ? n.min === n.max ? "a single value" : `${short(n.min)} to ${short(n.max)}, median ${short(n.median)}, p90 ${short(n.p90)}`
    : `${count(chart.distinct)} ${chart.distinct === 1 ? "value" : "values"}`;
  const body = chart.kind === "categories" ? words(chart, chosen, choose, filtered) : histogram(chart, chosen, choose, filtered);
  const note = chart.kind === "magnitudes" ? h("p", { class: "note" }, "Each bar is ten times as wide as the one before, or more.") : null;
  return panel(chart.name, extra, body, note);
}

function words(chart: Chart, chosen: Filter[], choose: Choose, filtered: boolean): HTMLElement {
  const most = max(chart.bins, (bin) => bin.all) ?? 1;
  const total = chart.bins.reduce((sum, bin) => sum + bin.all, 0);
  return group(
    { class: "words", "aria-label": `${chart.name}, by value` },
    chart.bins.map((bin) =>
      row({
        key: `${chart.name}=${bin.special ?? ""}${bin.label}`,
        label: word(bin.label),
        all: bin.all,
        selected: bin.selected,
        most,
        total,
        filtered,
        pressed: filters.hasBin(chosen, chart, bin),
        choose: choose && bin.special !== "others" ? () => choose(filters.toggleBin(chosen, chart, bin)) : null,
      }),
    ),
  );
}

interface RowOf {
  key: string;
  label: string;
  all: number;
  selected: number;
  most: number;
  total: number;
  filtered: boolean;
  pressed: boolean;
  choose: (() => void) | null;
  extra?: Node | null;
  kind?: string;
  /** The text stands above the bar, since it is a sentence. */
  isLong?: boolean;
}

/** A lying bar with its text. */
export function row(of: RowOf): HTMLElement {
  const shown = of.filtered ? `${count(of.selected)} of ${count(of.all)}` : `${count(of.all)}, ${share(of.all, of.total)}`;
  const inner = [
    h("span", { class: "row-label", title: of.label.length > 60 ? of.label : null }, of.label),
    h(
      "span",
      { class: "track", "aria-hidden": "true" },
      h("span", { class: "all", style: { width: percent(of.all, of.most) } }),
      h("span", { class: `sel ${of.kind ?? ""}`, style: { width: percent(of.selected, of.most) } }),
    ),
    h("span", { class: "row-count" }, shown),
  ];
  const label = `${of.label}: ${shown}`;
  const kind = of.isLong ? "row long" : "row";
  if (!of.choose) return h("div", { class: kind, role: "img", "aria-label": label }, ...inner);
  const button = h(
    "button",
    {
      class: kind,
      type: "button",
      key: of.key,
      "data-item": "",
      "aria-label": label,
      "aria-pressed": String(of.pressed),
      on: { click: of.choose },
    },
    ...inner,
  );
  return of.extra ? h("div", { class: "row-with" }, button, of.extra) : button;
}

function percent(part: number, whole: number): string {
  return `${whole === 0 ? 0 : (part / whole) * 100}%`;
}

function histogram(chart: Chart, chosen: Filter[], choose: Choose, filtered: boolean): HTMLElement {
  const most = max(chart.bins, (bin) => bin.all) ?? 1;
  // A bar that the pointer went down on; it is chosen up to the one where it goes up.
  let from: number | null = null;
  const bars = chart.bins.map((bin, at) => {
    const label = `${bin.label}: ${filtered ? `${count(bin.selected)} of ` : ""}${cases(bin.all)}`;
    const inner = [
      h("span", { class: "all", style: { height: percent(bin.all, most) } }),
      h("span", { class: "sel", style: { height: percent(bin.selected, most) } }),
    ];
    if (!choose) return h("div", { class: "bar", role: "img", "aria-label": label, title: label }, ...inner);
    return h(
      "button",
      {
        class: "bar",
        type: "button",
        key: `${chart.name}=${bin.special ?? ""}${bin.label}`,
        "data-item": "",
        "aria-label": label,
        "aria-pressed": String(filters.hasBin(chosen, chart, bin)),
        title: label,
        on: {
          pointerdown: () => (from = at),
          pointerup: () => {
            if (from !== null && from !== at) choose(filters.selectBins(chosen, chart, from, at));
            from = null;
          },
          click: () => choose(filters.toggleBin(chosen, chart, bin)),
        },
      },
      ...inner,
    );
  });
  const ticks = axisLabels(chart);
  return h(
    "div",
    { class: "histogram" },
    group({ class: "bars", "aria-label": `${chart.name}, by number; drag to choose several bars` }, bars),
    h("div", { class: "axis", "aria-hidden": "true" }, ticks.map((tick) => h("span", { style: { left: `${tick.at}%` } }, tick.label))),
  );
}

/** As many labels under the bars as there is room for. */
function axisLabels(chart: Chart): { at: number; label: string }[] {
  const n = chart.bins.length;
  const every = Math.max(1, Math.ceil(n / 6));
  const labels = [];
  for (let at = 0; at < n; at += every) {
    const bin = chart.bins[at]!;
    labels.push({ at: ((at + 0.5) / n) * 100, label: bin.range && bin.range[0] > -1e300 ? short(bin.range[0]) : bin.label });
  }
  return labels;
}

const ROWS: [Status, string][] = [["failed", "failed"], ["passed", "passed"], ["gave_up", "discarded"]];
const STATUS_AT: Record<Status, number> = { passed: 0, failed: 1, gave_up: 2 };

/** New and repeated values by what became of them. Rows are as high, cells as wide as they have cases. */
export function mosaic(view: View, chosen: Filter[], choose: Choose, filtered: boolean): HTMLElement {
  const all = view.counts.mosaic;
  const selected = view.selected.mosaic;
  const total = view.counts.generated;
  const button = (label: string, key: string, pressed: boolean, on: (() => void) | null, style: Record<string, string>, kind: string, ...inner: (Node | string)[]) =>
    on
      ? h("button", { class: `cell ${kind}`, type: "button", key, "data-item": "", "aria-label": label, title: label, "aria-pressed": String(pressed), style, on: { click: on } }, ...inner)
      : h("div", { class: `cell ${kind}`, role: "img", "aria-label": label, title: label, style }, ...inner);
  const rows = ROWS.filter(([status]) => sum(all[STATUS_AT[status]]!) > 0).map(([status, name]) => {
    const counts = all[STATUS_AT[status]]!;
    const inRow = sum(counts);
    const cells = [0, 1].map((again) => {
      const n = counts[again]!;
      if (n === 0) return null;
      const meant = selected[STATUS_AT[status]]![again]!;
      const text = `${name}, ${again ? "seen before" : "new"}: ${filtered ? `${count(meant)} of ` : ""}${cases(n)}, ${share(n, total)}`;
      return button(
        text,
        `cell:${status}:${again}`,
        filters.hasStatus(chosen, status) && filters.hasSeen(chosen, again === 1),
        choose && (() => choose(filters.toggleCell(chosen, status, again === 1))),
        { "flex-grow": String(Math.max(n, inRow * 0.08)) },
        `${status} ${again ? "again" : "new"} ${filtered && meant === 0 ? "dim" : ""}`,
        h("b", {}, filtered ? `${count(meant)} of ${count(n)}` : count(n)),
      );
    });
    return h(
      "div",
      { class: "mosaic-row", style: { "flex-grow": String(Math.max(inRow, total * 0.12)) } },
      button(
        `${name}: ${cases(inRow)}, ${share(inRow, total)}`,
        `status:${status}`,
        filters.hasStatus(chosen, status),
        choose && (() => choose(filters.toggleStatus(chosen, status))),
        {},
        "head",
        `${name} ${share(inRow, total)}`,
      ),
      h("div", { class: "mosaic-cells" }, ...cells.filter((cell) => cell !== null)),
    );
  });
  const columns = [0, 1].map((again) => {
    const n = all.reduce((total, row) => total + row[again]!, 0);
    const name = again ? "seen before" : "new";
    return button(
      `${name}: ${cases(n)}, ${share(n, total)}`,
      `seen:${again}`,
      filters.hasSeen(chosen, again === 1),
      choose && (() => choose(filters.toggleSeen(chosen, again === 1))),
      {},
      `head ${again ? "again" : "new"}`,
      `${name} ${share(n, total)}`,
    );
  });
  return panel(
    "Sample breakdown",
    null,
    group({ class: "mosaic", "aria-label": "Cases by what became of them, new and seen before" }, h("div", { class: "mosaic-columns" }, ...columns), h("div", { class: "mosaic-rows" }, ...rows)),
  );
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, n) => total + n, 0);
}

/** Two features against each other. */
export function gridChart(grid: Grid, chosen: Filter[], choose: Choose, filtered: boolean): HTMLElement {
  const at = filtered ? 1 : 0;
  const most = max(grid.cells.flat(), (cell) => cell[at]) || 1;
  const table = h(
    "table",
    {},
    h("caption", {}, `${grid.y.name} (down) and ${grid.x.name} (across): how many cases have both`),
    h("thead", {}, h("tr", {}, h("td", {}), grid.x.labels.map((label) => h("th", { scope: "col" }, h("span", {}, word(label)))))),
    h(
      "tbody",
      {},
      grid.cells.map((cells, y) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, word(grid.y.labels[y] ?? "")),
          cells.map((cell, x) => {
            const label = `${grid.x.name} ${word(grid.x.labels[x] ?? "")}, ${grid.y.name} ${word(grid.y.labels[y] ?? "")}: ${filtered ? `${count(cell[1])} of ` : ""}${cases(cell[0])}`;
            const heat = cell[at] === 0 ? 0 : 0.12 + 0.88 * Math.sqrt(cell[at] / most);
            const never = cell[0] === 0;
            const text = never ? "" : count(cell[at]);
            const properties = { class: `heat ${never ? "never" : ""} ${heat > 0.6 ? "hot" : ""}`, title: label, style: { "--heat": `${heat * 100}%` } };
            const canChoose = choose && !never && grid.x.special[x] !== "others" && grid.y.special[y] !== "others";
            return h(
              "td",
              {},
              canChoose
                ? h("button", { ...properties, type: "button", key: `grid:${x}:${y}`, "data-item": "", "aria-label": label, "aria-pressed": String(filters.hasBin(chosen, grid.x, filters.binOf(grid.x, x)) && filters.hasBin(chosen, grid.y, filters.binOf(grid.y, y))), on: { click: () => choose(filters.toggleGridCell(chosen, grid.x, x, grid.y, y)) } }, text)
                : h("span", { ...properties, role: "img", "aria-label": label }, text),
            );
          }),
        ),
      ),
    ),
  );
  return group({ class: "grid-chart", "aria-label": `${grid.x.name} and ${grid.y.name}` }, table);
}

const WIDTH = 440;
const HEIGHT = 150;
const LEFT = 42;
const RIGHT = WIDTH - 14;
const BOTTOM = 20;

interface Series {
  name: string;
  kind: string;
  values: number[];
}

/** Lines over the run. The pointer drags over a range to choose its cases. */
export function overRun(title: string, extra: string | null, moments: Moment[], series: Series[], selected: boolean, chosen: Filter[], choose: Choose): HTMLElement {
  const last = moments.at(-1)?.to ?? 1;
  const top = Math.max(1e-9, max(series.flatMap((one) => one.values)) ?? 1);
  const x = scaleLinear([0, last], [LEFT, RIGHT]);
  const y = scaleLinear([0, top], [HEIGHT - BOTTOM, 8]).nice(4);
  const draw = line<[number, number]>().x((point) => x(point[0])).y((point) => y(point[1]));
  const most = max(moments, (one) => one.selected / (one.to - one.from)) || 1;
  const range = chosen.find((filter) => filter.on === "cases");
  const svg = s(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "lines", role: "img", "aria-label": `${title}: ${series.map((one) => `${one.name} ends at ${short(one.values.at(-1) ?? 0)}`).join(", ")}` },
    y.ticks(4).map((tick) => [
      s("line", { x1: LEFT, x2: RIGHT, y1: y(tick), y2: y(tick), class: "rule" }),
      s("text", { x: LEFT - 6, y: y(tick) + 4, class: "tick end" }, short(tick)),
    ]),
    x.ticks(6).map((tick) => s("text", { x: x(tick), y: HEIGHT - 4, class: "tick" }, short(tick))),
    selected
      ? moments.map((one) =>
          s("rect", { x: x(one.from), width: Math.max(0.5, x(one.to) - x(one.from)), y: HEIGHT - BOTTOM - (one.selected / (one.to - one.from) / most) * 30, height: (one.selected / (one.to - one.from) / most) * 30, class: "part" }),
        )
      : null,
    range ? s("rect", { x: x(range.from), width: Math.max(1, x(range.to) - x(range.from)), y: 8, height: HEIGHT - BOTTOM - 8, class: "brushed" }) : null,
    series.map((one) => s("path", { d: draw(one.values.map((value, at) => [at === 0 && one.values.length > 1 ? moments[at]!.from : moments[at]!.to, value])) ?? "", class: `series ${one.kind}` })),
  );
  if (choose) brush(svg, (from, to) => choose(filters.setOnly(chosen, { on: "cases", from: Math.round(x.invert(from)), to: Math.round(x.invert(to)) }, "cases")), [LEFT, RIGHT]);
  const legend = series.length > 1 ? h("p", { class: "legend" }, series.map((one) => h("span", { class: `key ${one.kind}` }, one.name))) : null;
  return panel(title, extra, svg as unknown as HTMLElement, legend);
}

/** Calls with the ends of what the pointer dragged over, in the units of the drawing. */
function brush(svg: SVGSVGElement, chosen: (from: number, to: number) => void, [left, right]: [number, number]): void {
  let start: number | null = null;
  const rect = s("rect", { class: "brushing", y: 8, height: HEIGHT - BOTTOM - 8, width: 0 });
  svg.append(rect);
  const at = (event: PointerEvent) => {
    const box = svg.getBoundingClientRect();
    return Math.min(right, Math.max(left, ((event.clientX - box.left) / box.width) * WIDTH));
  };
  svg.addEventListener("pointerdown", (event) => {
    start = at(event);
    svg.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  svg.addEventListener("pointermove", (event) => {
    if (start === null) return;
    rect.setAttribute("x", String(Math.min(start, at(event))));
    rect.setAttribute("width", String(Math.abs(at(event) - start)));
  });
  svg.addEventListener("pointerup", (event) => {
    const [from, end] = [start, at(event)];
    start = null;
    rect.setAttribute("width", "0");
    if (from !== null && Math.abs(end - from) > 4) chosen(Math.min(from, end), Math.max(from, end));
  });
}

/** Cases by how long they took, and where the time went. */
export function timingChart(timing: Timing, chosen: Filter[], choose: Choose, filtered: boolean): HTMLElement[] {
  const most = max(timing.bins, (bin) => bin.all) ?? 1;
  const bars = timing.bins.map((bin) => {
    const range = `${seconds(bin.range[0])} to ${bin.range[1] > 1e9 ? "more" : seconds(bin.range[1])}`;
    const label = `${range}: ${filtered ? `${count(bin.selected)} of ` : ""}${cases(bin.all)}`;
    const spent = bin.seconds.reduce((a, b) => a + b, 0);
    const stack = h(
      "span",
      { class: "stack", style: { height: percent(bin.all, most) } },
      bin.seconds.map((part, phase) => h("span", { class: `phase p${phase % 6}`, style: { "flex-grow": String(spent === 0 ? 0 : part / spent) } })),
    );
    const part = filtered ? h("span", { class: "sel", style: { height: percent(bin.selected, most) } }) : null;
    if (!choose) return h("div", { class: "bar", role: "img", "aria-label": label, title: label }, stack);
    return h("button", { class: "bar", type: "button", key: `time:${bin.range[0]}`, "data-item": "", "aria-label": label, title: label, "aria-pressed": String(filters.hasTime(chosen, bin.range)), on: { click: () => choose(filters.toggleTime(chosen, bin.range)) } }, stack, part);
  });
  const every = Math.max(1, Math.ceil(timing.bins.length / 6));
  const ticks = timing.bins.flatMap((bin, at) => (at % every === 0 ? [h("span", { style: { left: `${((at + 0.5) / timing.bins.length) * 100}%` } }, seconds(bin.range[0]))] : []));
  const total = timing.phases.reduce((sum, phase) => sum + (filtered ? phase.selected : phase.seconds), 0);
  const phases = timing.phases.slice(0, 12).map((phase, at) => {
    const spent = filtered ? phase.selected : phase.seconds;
    return h("li", {}, h("span", { class: `swatch p${at % 6}`, "aria-hidden": "true" }), h("span", { class: "row-label" }, phase.name), h("span", { class: "row-count" }, `${seconds(spent)}, ${share(spent, total)}`));
  });
  return [
    panel(
      "Time per case",
      `median ${seconds(timing.median)}, p90 ${seconds(timing.p90)}, slowest ${seconds(timing.max)}`,
      h("div", { class: "histogram" }, group({ class: "bars", "aria-label": "Cases by time" }, bars), h("div", { class: "axis", "aria-hidden": "true" }, ticks)),
      h("p", { class: "note" }, "Each bar is twice as long as the one before; its colours are the phases."),
    ),
    ...(phases.length ? [panel("Where the time goes", null, h("ul", { class: "phases" }, phases))] : []),
  ];
}

/** How a counterexample became simpler, over the runs it took; after the last step nothing simpler was found. */
export function shrinkChart(steps: ShrinkStep[], at: number, runs: number, choose: (at: number) => void): SVGSVGElement {
  const last = Math.max(1, runs, steps.at(-1)?.run ?? 1);
  const x = scaleLinear([0, last], [LEFT, RIGHT]);
  const y = scaleLinear([0, max(steps, (step) => step.size) || 1], [HEIGHT - BOTTOM, 8]).nice(3);
  const points = steps.map((step): [number, number] => [step.run, step.size]);
  const all: [number, number][] = [...points, [last, points.at(-1)?.[1] ?? 0]];
  const fill = area<[number, number]>().x((p) => x(p[0])).y0(y(0)).y1((p) => y(p[1])).curve(curveStepAfter);
  const edge = line<[number, number]>().x((p) => x(p[0])).y((p) => y(p[1])).curve(curveStepAfter);
  const svg = s(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "lines", role: "img", "aria-label": `Size of the counterexample over the runs: from ${points[0]?.[1]} to ${points.at(-1)?.[1]} in ${last} runs` },
    y.ticks(3).map((tick) => [s("line", { x1: LEFT, x2: RIGHT, y1: y(tick), y2: y(tick), class: "rule" }), s("text", { x: LEFT - 6, y: y(tick) + 4, class: "tick end" }, short(tick))]),
    x.ticks(6).map((tick) => s("text", { x: x(tick), y: HEIGHT - 4, class: "tick" }, short(tick))),
    s("path", { d: fill(all) ?? "", class: "shrink-area" }),
    s("path", { d: edge(all) ?? "", class: "series bad" }),
    points.map(([run, size], place) => s("circle", { cx: x(run), cy: y(size), r: place === at ? 6 : 2.5, class: place === at ? "dot now" : "dot" })),
  );
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    const run = x.invert(((event.clientX - box.left) / box.width) * WIDTH);
    let nearest = 0;
    points.forEach(([other], place) => {
      if (Math.abs(other - run) < Math.abs(points[nearest]![0] - run)) nearest = place;
    });
    choose(nearest);
  });
  return svg;
}
