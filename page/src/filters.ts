// Which cases are meant. A click adds a condition, the same click takes it away.

import type { Axis, Bin, Chart, Filter, Status } from "./types.ts";
import { count, seconds, short, word } from "./format.ts";

export const STATUS_WORDS: Record<Status, string> = { passed: "passed", failed: "failed", gave_up: "discarded" };

/** The filters with a value of a list in, if it was out, or out, if it was in. */
function toggled<T>(list: T[], value: T, same: (a: T, b: T) => boolean = (a, b) => a === b): T[] {
  return list.some((one) => same(one, value)) ? list.filter((one) => !same(one, value)) : [...list, value];
}

const sameRange = (a: [number, number], b: [number, number]) => a[0] === b[0] && a[1] === b[1];

export function toggleStatus(filters: Filter[], status: Status): Filter[] {
  const old = filters.find((filter) => filter.on === "status");
  const values = toggled(old?.values ?? [], status);
  return replaced(filters, old, values.length ? { on: "status", values } : undefined);
}

export function toggleSeen(filters: Filter[], before: boolean): Filter[] {
  const old = filters.find((filter) => filter.on === "seen");
  return replaced(filters, old, old?.before === before ? undefined : { on: "seen", before });
}

/** Sets exactly this cell, or clears it if it is what is set. */
export function toggleCell(filters: Filter[], status: Status, before: boolean): Filter[] {
  const is = hasStatus(filters, status) && hasSeen(filters, before);
  const rest = filters.filter((filter) => filter.on !== "status" && filter.on !== "seen");
  return is ? rest : [...rest, { on: "status", values: [status] }, { on: "seen", before }];
}

export function hasStatus(filters: Filter[], status: Status): boolean {
  return filters.some((filter) => filter.on === "status" && filter.values.includes(status));
}

export function hasSeen(filters: Filter[], before: boolean): boolean {
  return filters.some((filter) => filter.on === "seen" && filter.before === before);
}

export function toggleBin(filters: Filter[], chart: Pick<Chart, "name" | "kind">, bin: Bin): Filter[] {
  if (bin.special === "others") return filters;
  if (chart.kind === "categories") {
    const old = filters.find((filter) => filter.on === "feature" && filter.name === chart.name);
    const values = toggled((old as { values: (string | null)[] } | undefined)?.values ?? [], categoryOf(bin));
    return replaced(filters, old, values.length ? { on: "feature", name: chart.name, values } : undefined);
  }
  const old = filters.find((filter) => filter.on === "range" && filter.name === chart.name);
  const { ranges = [], special = [] } = (old ?? {}) as { ranges?: [number, number][]; special?: string[] };
  const next = bin.range
    ? { ranges: toggled(ranges, bin.range, sameRange), special }
    : { ranges, special: toggled(special, bin.special ?? "") };
  const isEmpty = next.ranges.length === 0 && next.special.length === 0;
  return replaced(filters, old, isEmpty ? undefined : { on: "range", name: chart.name, ...next });
}

/** From one bar to another, both in it. */
export function selectBins(filters: Filter[], chart: Chart, from: number, to: number): Filter[] {
  const bins = chart.bins.slice(Math.min(from, to), Math.max(from, to) + 1);
  let next = filters.filter((filter) => !isAbout(filter, chart.name));
  for (const bin of bins) next = toggleBin(next, chart, bin);
  return next;
}

function isAbout(filter: Filter, name: string): boolean {
  return (filter.on === "feature" || filter.on === "range") && filter.name === name;
}

export function hasBin(filters: Filter[], chart: Pick<Chart, "name" | "kind">, bin: Bin): boolean {
  return filters.some((filter) => {
    if (filter.on === "feature" && filter.name === chart.name) return filter.values.includes(categoryOf(bin));
    if (filter.on !== "range" || filter.name !== chart.name) return false;
    return bin.range
      ? filter.ranges.some((range) => sameRange(range, bin.range!))
      : filter.special.includes(bin.special ?? "");
  });
}

function categoryOf(bin: Bin): string | null {
  return bin.special === "absent" ? null : bin.label;
}

/** A cell of two features: exactly these two groups. */
export function toggleGridCell(filters: Filter[], x: Axis, xAt: number, y: Axis, yAt: number): Filter[] {
  const [xBin, yBin] = [binOf(x, xAt), binOf(y, yAt)];
  const is = hasBin(filters, x, xBin) && hasBin(filters, y, yBin);
  const rest = filters.filter((filter) => !isAbout(filter, x.name) && !isAbout(filter, y.name));
  if (is) return rest;
  return x.name === y.name ? toggleBin(rest, x, xBin) : toggleBin(toggleBin(rest, x, xBin), y, yBin);
}

export function binOf(axis: Axis, at: number): Bin {
  return {
    label: axis.labels[at] ?? "",
    range: axis.ranges[at] ?? null,
    special: axis.special[at] ?? null,
    all: 0,
    selected: 0,
  };
}

export function toggleText(filters: Filter[], on: "reason" | "how", text: string): Filter[] {
  const old = filters.find((filter) => filter.on === on) as { values: string[] } | undefined;
  const values = toggled(old?.values ?? [], text);
  return replaced(filters, old as Filter | undefined, values.length ? { on, values } : undefined);
}

export function hasText(filters: Filter[], on: "reason" | "how", text: string): boolean {
  return filters.some((filter) => filter.on === on && filter.values.includes(text));
}

export function toggleTime(filters: Filter[], range: [number, number]): Filter[] {
  const old = filters.find((filter) => filter.on === "time");
  const ranges = toggled(old?.ranges ?? [], range, sameRange);
  return replaced(filters, old, ranges.length ? { on: "time", ranges } : undefined);
}

export function hasTime(filters: Filter[], range: [number, number]): boolean {
  return filters.some((filter) => filter.on === "time" && filter.ranges.some((one) => sameRange(one, range)));
}

/** The only filter of its kind. */
export function setOnly(filters: Filter[], filter: Filter | undefined, on: Filter["on"]): Filter[] {
  const rest = filters.filter((one) => one.on !== on);
  return filter ? [...rest, filter] : rest;
}

function replaced(filters: Filter[], old: Filter | undefined, next: Filter | undefined): Filter[] {
  if (!old) return next ? [...filters, next] : filters;
  return filters.flatMap((filter) => (filter === old ? (next ? [next] : []) : [filter]));
}

/** A filter in words, for its tag. */
export function describe(filter: Filter): string {
  switch (filter.on) {
    case "status":
      return filter.values.map((value) => STATUS_WORDS[value]).join(" or ");
    case "seen":
      return filter.before ? "seen before" : "new";
    case "feature":
      return `${filter.name}: ${filter.values.map((value) => (value === null ? "absent" : word(value))).join(" or ")}`;
    case "range":
      return `${filter.name}: ${[...joined(filter.ranges).map(rangeWords), ...filter.special].join(" or ")}`;
    case "reason":
      return filter.values.join(" or ");
    case "how":
      return `made by: ${filter.values.join(" or ")}`;
    case "time":
      return `took ${joined(filter.ranges).map(([from, to]) => `${seconds(from)} to ${seconds(to)}`).join(" or ")}`;
    case "cases":
      return `cases ${count(filter.from + 1)} to ${count(filter.to)}`;
    case "line":
      return `reaches ${filter.file}:${filter.line}`;
    case "cluster":
      return "reaches about the same lines";
    case "text":
      return `contains “${filter.contains}”`;
  }
}

/** Ranges that touch each other are one. */
function joined(ranges: [number, number][]): [number, number][] {
  const sorted = [...ranges].sort((a, b) => a[0] - b[0]);
  const out: [number, number][] = [];
  for (const [from, to] of sorted) {
    const last = out.at(-1);
    if (last && last[1] === from) last[1] = to;
    else out.push([from, to]);
  }
  return out;
}

function rangeWords([from, to]: [number, number]): string {
  if (from < -1e300) return `below ${short(to)}`;
  if (to > 1e300) return `${short(from)} or more`;
  return from + 1 === to ? short(from) : `${short(from)} to below ${short(to)}`;
}
