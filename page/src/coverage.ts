// Which lines of source the cases reached: coloured by how much more often failing cases reach them than passing ones.

import { panel, row, type Choose } from "./charts.ts";
import { group, h } from "./dom.ts";
import { setOnly } from "./filters.ts";
import { cases, count, share } from "./format.ts";
import type { Filter, SourceFile, View } from "./types.ts";

export function files(view: View, opened: string | null, open: (file: string) => void, filtered: boolean): HTMLElement {
  const most = Math.max(...view.files.map((file) => file.lines));
  return panel(
    "Files that were reached",
    null,
    group(
      { class: "words", "aria-label": "Files, by lines that were reached" },
      view.files.slice(0, 40).map((file) =>
        row({ key: `file:${file.file}`, label: file.file, all: file.lines, selected: file.selected, most, total: view.files.reduce((sum, one) => sum + one.lines, 0), filtered, pressed: file.file === opened, choose: () => open(file.file) }),
      ),
    ),
  );
}

export function sourceView(name: string, file: SourceFile, chosen: Filter[], choose: Choose): HTMLElement {
  const hits = new Map(file.lines.map((line) => [line.line, line]));
  const last = file.lines.at(-1)?.line ?? 0;
  const texts = file.text === null ? Array.from({ length: last }, () => "") : file.text.replace(/\n$/, "").split("\n");
  const most = Math.max(1, ...file.lines.map((line) => line.passed + line.failed));
  const lines = texts.map((text, at) => {
    const number = at + 1;
    const hit = hits.get(number);
    if (!hit && file.text === null) return null;
    const n = hit ? hit.passed + hit.failed : 0;
    const label = hit ? `line ${number}: ${count(hit.passed)} passing and ${count(hit.failed)} failing cases` : "";
    const suspicion = hit?.suspicion ?? null;
    const kind = !hit ? "" : n === 0 ? "unreached" : suspicion === null ? "reached" : suspicion > 0.75 ? "suspect" : suspicion > 0.55 ? "perhaps" : "reached";
    const isChosen = chosen.some((filter) => filter.on === "line" && filter.file === name && filter.line === number);
    const counts = hit
      ? choose
        ? h("button", { type: "button", class: "hits", key: `line:${number}`, "data-item": "", "aria-label": `${label}; choose its cases`, "aria-pressed": String(isChosen), title: label, on: { click: () => choose(setOnly(chosen, isChosen ? undefined : { on: "line", file: name, line: number }, "line")) } }, count(n))
        : h("span", { class: "hits", title: label }, count(n))
      : h("span", { class: "hits" });
    return h(
      "div",
      { class: `source-line ${kind}`, style: hit ? { "--reach": `${15 + 55 * (n / most)}%` } : {} },
      h("span", { class: "line-number" }, number),
      counts,
      h("span", { class: "suspicion" }, suspicion !== null && suspicion > 0.55 ? `${Math.round(suspicion * 100)}` : ""),
      h("code", {}, text),
    );
  });
  return panel(
    name,
    "cases that reach each line; red: failing ones more often than passing ones (Tarantula, 50 to 100)",
    file.problem ? h("p", { class: "note" }, file.problem) : null,
    group({ class: "source", "data-scroll": `source:${name}`, "aria-label": `Lines of ${name}` }, lines),
  );
}

/** Scrolls to what one wants to see: the first line that is to blame, or the first that was reached. */
export function showFirst(container: HTMLElement): void {
  const source = container.querySelector<HTMLElement>(".source");
  const line = source?.querySelector<HTMLElement>(".source-line.suspect") ?? source?.querySelector<HTMLElement>(".source-line.reached, .source-line.perhaps");
  if (source && line) source.scrollTop = Math.max(0, line.offsetTop - source.offsetTop - source.clientHeight / 3);
}

export function clusters(view: View, chosen: Filter[], choose: Choose): HTMLElement {
  const most = Math.max(...view.clusters.map((cluster) => cluster.all));
  return panel(
    "Cases that reach about the same lines",
    null,
    h(
      "ol",
      { class: "clusters" },
      view.clusters.map((cluster, at) => {
        const isChosen = chosen.some((filter) => filter.on === "cluster" && filter.id === cluster.id);
        return h(
          "li",
          {},
          h(
            "button",
            { type: "button", class: "row", key: `cluster:${cluster.id}`, disabled: !choose, "aria-pressed": String(isChosen), on: { click: () => choose?.(setOnly(chosen, isChosen ? undefined : { on: "cluster", id: cluster.id }, "cluster")) } },
            h("span", { class: "row-label" }, `group ${at + 1}: ${cases(cluster.all)}${cluster.failed ? `, ${share(cluster.failed, cluster.all)} fail` : ""}`),
            h("span", { class: "track", "aria-hidden": "true" }, h("span", { class: "all", style: { width: `${(cluster.all / most) * 100}%` } }), h("span", { class: "sel", style: { width: `${(cluster.selected / most) * 100}%` } })),
          ),
          cluster.lines.length ? h("p", { class: "note" }, `mostly these alone reach ${cluster.lines.join(", ")}`) : null,
        );
      }),
    ),
  );
}
