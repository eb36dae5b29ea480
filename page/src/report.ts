// A report: the page without a server. It knows of each case which bar of each chart it is in, and counts by that.

import { hasBin, hasTime } from "./filters.ts";
import type { Source, Which } from "./source.ts";
import type { Axis, Chart, Comparison, Counts, Examples, Filter, Grid, Overview, SourceFile, Status, Steered, View } from "./types.ts";

export interface ReportData {
  overview: Overview;
  pages: Record<string, Page>;
}

interface Page {
  view: View;
  examples: Examples;
  lines: Record<string, string>;
  sources: Record<string, SourceFile>;
  grid: Grid | null;
  columns: Encoded | null;
}

/** One byte for each case, as retrospect_stats::summary::Columns has them, in base64. */
interface Encoded {
  flags: string;
  features: [string, string][];
  reasons: string;
  how: string;
  times: string;
  examples: string;
}

interface Columns {
  n: number;
  flags: Uint8Array;
  features: Map<string, Uint8Array>;
  reasons: Uint8Array;
  how: Uint8Array;
  times: Uint8Array;
  /** Which of the examples of the report it is. */
  example: (at: number) => number;
}

const STATUS: Status[] = ["passed", "failed", "gave_up"];
const AGAIN = 4;
const SHRINKING = 8;
const NO_EXAMPLE = 65535;

export class Report implements Source {
  readonly isLive = false;
  readonly canSteer = false;
  private readonly decoded = new Map<string, Columns>();

  constructor(private readonly data: ReportData) {}

  canFilter(property: string): boolean {
    return Boolean(this.data.pages[property]?.columns);
  }

  private page(which: Which): Page {
    const page = this.data.pages[which.property];
    if (!page) throw new Error(`${which.property} is not in this report`);
    return page;
  }

  private columns(which: Which): Columns | null {
    const { columns } = this.page(which);
    if (!columns) return null;
    let decoded = this.decoded.get(which.property);
    if (!decoded) {
      decoded = decode(columns);
      this.decoded.set(which.property, decoded);
    }
    return decoded;
  }

  async overview(): Promise<Overview> {
    return this.data.overview;
  }

  async view(which: Which, filters: Filter[], features: string): Promise<View> {
    const { view, examples, grid } = this.page(which);
    const columns = this.columns(which);
    // Two features are counted against each other by their bars.
    const names = columns ? view.names.filter((name) => columns.features.has(name)) : grid ? [grid.x.name, grid.y.name] : [];
    const wanted = view.features.filter((chart) => chart.name.toLowerCase().includes(features.toLowerCase()));
    if (!columns || filters.length === 0) return { ...view, names, features: wanted };
    const selected = select(columns, view, examples, filters);
    const scope = scopeOf(columns, filters);
    const count = (bars: Uint8Array, from: Uint8Array) => {
      const counts = new Array<number>(256).fill(0);
      for (let at = 0; at < columns.n; at++) if (from[at]) counts[bars[at]!]!++;
      return counts;
    };
    const both = selected.map((is, at) => is & scope[at]!);
    const chart = (one: Chart): Chart => {
      const bars = columns.features.get(one.name);
      if (!bars) return one;
      const [all, some] = [count(bars, scope), count(bars, both)];
      return { ...one, bins: one.bins.map((bin, at) => ({ ...bin, all: all[at]!, selected: some[at]! })) };
    };
    const [reasons, how, times] = [columns.reasons, columns.how, columns.times].map((bars) => count(bars, selected)) as [number[], number[], number[]];
    return {
      ...view,
      names,
      selected: countsOf(columns, selected),
      features: wanted.map(chart),
      reasons: view.reasons.map((one, at) => ({ ...one, selected: reasons[at]! })),
      how: view.how.map((one, at) => ({ ...one, selected: how[at]! })),
      moments: view.moments.map((one) => ({ ...one, selected: selected.subarray(one.from, one.to).reduce((sum, is) => sum + is, 0) })),
      // How long each phase of each case took is not in a report.
      timing: view.timing && { ...view.timing, phases: [], bins: view.timing.bins.map((bin, at) => ({ ...bin, selected: times[at]! })) },
    };
  }

  async grid(which: Which, filters: Filter[], x: string, y: string): Promise<Grid | null> {
    const { view, examples, grid } = this.page(which);
    const columns = this.columns(which);
    const [across, down] = [x, y].map((name) => view.features.find((chart) => chart.name === name));
    const [xBars, yBars] = [columns?.features.get(x), columns?.features.get(y)];
    if (!columns || !across || !down || !xBars || !yBars) return grid;
    const selected = select(columns, view, examples, filters);
    const scope = scopeOf(columns, filters);
    const cells = down.bins.map(() => across.bins.map((): [number, number] => [0, 0]));
    for (let at = 0; at < columns.n; at++) {
      const cell = scope[at] ? cells[yBars[at]!]?.[xBars[at]!] : undefined;
      if (!cell) continue;
      cell[0]++;
      cell[1] += selected[at]!;
    }
    return { x: axisOf(across), y: axisOf(down), cells };
  }

  async examples(which: Which, filters: Filter[], order: string, offset: number, limit: number): Promise<Examples> {
    const { view, examples: kept } = this.page(which);
    const columns = this.columns(which);
    let examples = [...kept.examples];
    if (columns && filters.length > 0) {
      const counts = new Array<number>(examples.length).fill(0);
      const selected = select(columns, view, kept, filters);
      for (let at = 0; at < columns.n; at++) if (selected[at] && columns.example(at) < counts.length) counts[columns.example(at)]!++;
      examples = examples.map((example, at) => ({ ...example, count: counts[at]! })).filter((example) => example.count > 0);
    } else {
      const text = filters.find((filter) => filter.on === "text")?.contains ?? "";
      examples = examples.filter((example) => contains(example, text));
    }
    if (order === "frequent") examples.sort((a, b) => b.count - a.count || a.case - b.case);
    if (order === "run") examples.sort((a, b) => a.case - b.case);
    if (order === "shortest") examples.sort((a, b) => a.length - b.length);
    if (order === "longest") examples.sort((a, b) => b.length - a.length);
    if (order === "slowest") examples.sort((a, b) => (b.seconds ?? 0) - (a.seconds ?? 0));
    return { total: examples.length, examples: examples.slice(offset, offset + limit) };
  }

  async line(which: Which, at: number): Promise<string> {
    const line = this.page(which).lines[String(at)];
    if (line === undefined) throw new Error("the line is not in this report");
    return line;
  }

  async file(which: Which, _filters: Filter[], file: string): Promise<SourceFile> {
    return this.page(which).sources[file] ?? { lines: [], text: null, problem: "the file is not in this report" };
  }

  compare(): Promise<Comparison> {
    throw new Error("a report holds one run of each property");
  }

  steering(): Promise<Steered> {
    throw new Error("a report cannot run tests");
  }

  steer(): Promise<Steered> {
    throw new Error("a report cannot run tests");
  }

  keep(): Promise<Steered> {
    throw new Error("a report cannot run tests");
  }

  follow(): void {}
}

function decode(encoded: Encoded): Columns {
  const bytes = (text: string) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const [flags, examples] = [bytes(encoded.flags), bytes(encoded.examples)];
  return {
    n: flags.length,
    flags,
    features: new Map(encoded.features.map(([name, bars]) => [name, bytes(bars)])),
    reasons: bytes(encoded.reasons),
    how: bytes(encoded.how),
    times: bytes(encoded.times),
    example: (at) => (examples[2 * at] ?? 255) + 256 * (examples[2 * at + 1] ?? 255),
  };
}

/** A one for each case that meets all filters. */
function select(columns: Columns, view: View, examples: Examples, filters: Filter[]): Uint8Array {
  const selected = new Uint8Array(columns.n).fill(1);
  for (const filter of filters) {
    const meets = test(columns, view, examples, filter);
    for (let at = 0; at < columns.n; at++) if (selected[at] && !meets(at)) selected[at] = 0;
  }
  return selected;
}

function test(columns: Columns, view: View, examples: Examples, filter: Filter): (at: number) => boolean {
  const isIn = (bars: Uint8Array | undefined, wanted: boolean[]) => (at: number) => wanted[bars?.[at] ?? 255] ?? false;
  switch (filter.on) {
    case "status":
      return (at) => filter.values.includes(STATUS[columns.flags[at]! & 3]!);
    case "seen":
      return (at) => ((columns.flags[at]! & AGAIN) !== 0) === filter.before;
    case "feature":
    case "range": {
      const chart = view.features.find((one) => one.name === filter.name);
      return isIn(columns.features.get(filter.name), chart?.bins.map((bin) => hasBin([filter], chart, bin)) ?? []);
    }
    case "reason":
      return isIn(columns.reasons, view.reasons.map((one) => filter.values.includes(one.text)));
    case "how":
      return isIn(columns.how, view.how.map((one) => filter.values.includes(one.text)));
    case "time":
      return isIn(columns.times, view.timing?.bins.map((bin) => hasTime([filter], bin.range)) ?? []);
    case "cases":
      return (at) => filter.from <= at && at < filter.to;
    case "text": {
      // Other texts than those of the examples are not known.
      const wanted = examples.examples.map((example) => contains(example, filter.contains));
      return (at) => columns.example(at) !== NO_EXAMPLE && wanted[columns.example(at)]!;
    }
    case "line":
    case "cluster":
      return () => false;
  }
}

/** The cases that charts are about: those that were tested, unless one asks for others. */
function scopeOf(columns: Columns, filters: Filter[]): Uint8Array {
  const wantsDiscarded = filters.some((filter) => filter.on === "reason" || filter.on === "how" || (filter.on === "status" && filter.values.includes("gave_up")));
  return columns.flags.map((flags) => (wantsDiscarded || ((flags & 3) !== 2 && !(flags & SHRINKING)) ? 1 : 0));
}

function countsOf(columns: Columns, selected: Uint8Array): Counts {
  const mosaic: [number, number][] = [[0, 0], [0, 0], [0, 0]];
  let shrinking = 0;
  for (let at = 0; at < columns.n; at++) {
    if (!selected[at]) continue;
    const flags = columns.flags[at]!;
    if (flags & SHRINKING) shrinking++;
    else mosaic[flags & 3]![flags & AGAIN ? 1 : 0]++;
  }
  const [passed, failed, discarded] = mosaic.map(([fresh, again]) => fresh + again) as [number, number, number];
  return {
    generated: passed + failed + discarded,
    passed,
    failed,
    discarded,
    distinct: mosaic[0]![0] + mosaic[1]![0],
    duplicates: mosaic[0]![1] + mosaic[1]![1],
    shrinking,
    seconds: NaN,
    mosaic,
  };
}

function axisOf(chart: Chart): Axis {
  return { name: chart.name, kind: chart.kind, labels: chart.bins.map((bin) => bin.label), ranges: chart.bins.map((bin) => bin.range), special: chart.bins.map((bin) => bin.special) };
}

function contains(example: Examples["examples"][0], text: string): boolean {
  return ("Ok" in example.text ? example.text.Ok : "").toLowerCase().includes(text.toLowerCase());
}
