// One property: what became of it first, then what it was tested with.

import { featureChart, gridChart, mosaic, overRun, panel, row, shrinkChart, timingChart, type Choose } from "./charts.ts";
import * as coverage from "./coverage.ts";
import { copyable, group, h, redraw, released, say } from "./dom.ts";
import { drawExamples, highlighted, lineOf, newList, type Listed } from "./examples.ts";
import { describe, hasText, setOnly, toggleText } from "./filters.ts";
import { cases, count, difference, moment, seconds, share, short, word } from "./format.ts";
import { badge } from "./overview.ts";
import { write } from "./route.ts";
import type { Source, Which } from "./source.ts";
import { drawSteering } from "./steer.ts";
import type { Chart, Filter, Grid, Overview, Reason, SourceFile, Steered, View } from "./types.ts";

const SECTIONS = ["head", "tags", "steering", "failure", "warnings", "tiles", "features", "pairs", "run", "timing", "reasons", "coverage", "examples", "messages"] as const;
type Section = (typeof SECTIONS)[number];

export class PropertyPage {
  private readonly places: Record<Section, HTMLElement>;
  private view: View | null = null;
  private grid: Grid | null = null;
  private file: SourceFile | null = null;
  private steered: Steered | null = null;
  private list: Listed = newList();
  private opened: string | null = null;
  private scrolledTo: string | null = null;
  private pair: [string, string] | null = null;
  private wanted = "";
  private most = 24;
  private step = -1;
  private turn = 0;
  private drawn = "";
  private wasSteering = false;

  constructor(
    container: HTMLElement,
    private readonly source: Source,
    private which: Which,
    private filters: Filter[],
    private overview: Overview | null,
  ) {
    const place = (name: Section) => h("div", { class: `section ${name}`, "data-section": name });
    this.places = Object.fromEntries(SECTIONS.map((name) => [name, place(name)] as const)) as unknown as Record<Section, HTMLElement>;
    container.replaceChildren(...SECTIONS.map((name) => this.places[name]));
  }

  shows(which: Which): boolean {
    return which.property === this.which.property && which.run === this.which.run;
  }

  setFilters(filters: Filter[]): void {
    this.filters = filters;
    this.list.limit = 20;
  }

  setOverview(overview: Overview): void {
    this.overview = overview;
  }

  /** Asks for everything and draws it. What comes late, after something else was asked for, is dropped. */
  async load(): Promise<void> {
    const turn = ++this.turn;
    const { source, which, filters } = this;
    const view = await source.view(which, filters, this.wanted, this.most);
    if (turn !== this.turn) return;
    this.view = view;
    if (!this.pair || !view.names.includes(this.pair[0]) || !view.names.includes(this.pair[1])) this.pair = firstPair(view);
    if (this.opened === null || !view.files.some((file) => file.file === this.opened)) this.opened = view.files[0]?.file ?? null;
    const steering = source.isLive && view.history.test ? source.steering(which.property).catch(() => null) : null;
    // News may be of other properties: what is the same is not drawn again, under the hands of who reads it.
    const state = JSON.stringify([view, filters, this.wanted, this.most, this.pair, this.opened, this.runs]);
    if (state !== this.drawn) {
      await released();
      if (turn !== this.turn) return;
      this.draw();
      const examples = this.drawExamples();
      const [grid, file] = await Promise.all([
        this.pair ? source.grid(which, filters, ...this.pair).catch(() => null) : null,
        this.opened ? source.file(which, filters, this.opened).catch(() => null) : null,
      ]);
      await released();
      if (turn !== this.turn) return;
      [this.grid, this.file] = [grid, file];
      this.drawPairs(view);
      this.drawCoverage(view);
      await examples;
      this.drawn = state;
    }
    this.steered = await steering;
    await released();
    if (turn === this.turn) this.drawSteering(view);
  }

  /** The runs of this property, the oldest first. */
  private get runs(): [number, number, boolean][] {
    return this.overview?.properties.find((row) => row.name === this.which.property)?.runs ?? [];
  }

  private get isFiltered(): boolean {
    return this.filters.length > 0;
  }

  /** Changes the filters; the address changes, and with it the page. */
  private readonly choose = (filters: Filter[]): void => {
    location.hash = write({ page: "property", which: this.which, filters });
  };

  private get choice(): Choose {
    return this.source.canFilter(this.which.property) ? this.choose : null;
  }

  private draw(): void {
    const view = this.view;
    if (!view) return;
    this.drawHead(view);
    this.drawTags(view);
    this.drawWarnings(view);
    this.drawFailure(view);
    this.drawTiles(view);
    this.drawFeatures(view);
    this.drawRun(view);
    redraw(this.places.timing, view.timing ? [h("h2", {}, "Time"), h("div", { class: "charts wide" }, timingChart(view.timing, this.filters, this.choice, this.isFiltered))] : null);
    this.drawReasons(view);
    this.drawMessages(view);
  }

  private drawHead(view: View): void {
    const rows = this.overview?.properties ?? [];
    const runs = this.runs;
    const go = (run: number | null) => (location.hash = write({ page: "property", which: { property: this.which.property, run }, filters: this.filters }));
    const option = (start: number, n: number, steered: boolean) => h("option", { value: String(start), selected: start === view.run_start }, `${moment(start)}, ${cases(n)}${steered ? ", steered" : ""}`);
    const chooser =
      runs.length > 1
        ? h("label", {}, "Run ", h("select", { key: "run", on: { change: (event: Event) => go(Number((event.target as HTMLSelectElement).value)) } }, [...runs].reverse().map((run) => option(...run))))
        : h("span", { class: "note" }, moment(view.run_start));
    const others = rows.flatMap((row) => row.runs.map(([start, , steered]) => ({ name: row.name, start, steered }))).filter((other) => other.name !== this.which.property || other.start !== view.run_start);
    const compare =
      this.source.isLive && others.length
        ? h(
            "label",
            {},
            "Compare with ",
            h(
              "select",
              { key: "compare-with", on: { change: (event: Event) => { const other = others[Number((event.target as HTMLSelectElement).value)]; if (other) location.hash = write({ page: "compare", a: { property: other.name, run: other.start }, b: { property: this.which.property, run: view.run_start } }); } } },
              h("option", { value: "" }, "…"),
              others.slice(-200).reverse().map((other) => h("option", { value: String(others.indexOf(other)) }, `${other.name === this.which.property ? "this" : other.name}, ${moment(other.start)}${other.steered ? ", steered" : ""}`)),
            ),
          )
        : null;
    redraw(
      this.places.head,
      h("p", { class: "crumbs" }, h("a", { href: "#/", key: "back" }, "← All properties")),
      h("h1", {}, this.which.property),
      h("div", { class: "head-line" }, badge(view.verdict, view.history.ended === false), chooser, compare),
      view.history.stopped_because ? h("p", { class: "note" }, `stopped because ${view.history.stopped_because}`, view.history.seed === null ? "" : ` · seed ${view.history.seed}`) : null,
    );
  }

  private drawTags(view: View): void {
    if (!this.isFiltered) {
      redraw(this.places.tags, h("p", { class: "note" }, this.choice ? "Click a bar, a cell or a line to look at its cases alone." : "There are too many cases to choose from in a report: cargo retrospect ui shows them all."));
      return;
    }
    const { counts, selected } = view;
    const canSteer = this.source.canSteer && view.history.test !== null;
    redraw(
      this.places.tags,
      h(
        "div",
        { class: "tag-bar", role: "region", "aria-label": "Conditions" },
        h("b", { class: "meant" }, `${count(selected.generated + selected.shrinking)} of ${cases(counts.generated + counts.shrinking)}`),
        this.filters.map((filter, at) =>
          h("button", { type: "button", class: "tag", key: `tag:${filter.on}:${"name" in filter ? filter.name : ""}`, "aria-label": `remove: ${describe(filter)}`, on: { click: () => this.choose(this.filters.filter((_, other) => other !== at)) } }, h("span", {}, describe(filter)), h("span", { "aria-hidden": "true" }, "×")),
        ),
        h("button", { type: "button", key: "clear", on: { click: () => this.choose([]) } }, "Clear all"),
        canSteer
          ? h(
              "span",
              { class: "steer" },
              h("button", { type: "button", class: "primary", key: "steer-more", on: { click: () => this.steer([], "more") } }, "More like these"),
              h("button", { type: "button", key: "steer-fewer", on: { click: () => this.steer([], "fewer") } }, "Fewer"),
            )
          : null,
      ),
    );
    say(`${count(selected.generated)} of ${cases(counts.generated)} meet the conditions`);
  }

  private readonly steer = async (marked: number[], direction: "more" | "fewer" | null): Promise<void> => {
    try {
      this.steered = await this.source.steer(this.which, this.filters, marked, direction);
      this.list.marked.clear();
      if (this.view) this.drawSteering(this.view);
    } catch (error) {
      this.drawSteering(this.view!, (error as Error).message);
    }
  };

  private drawSteering(view: View, problem = ""): void {
    drawSteering(this.places.steering, this.steered, view, problem, {
      property: this.which.property,
      newest: this.runs.at(-1)?.[0] ?? view.run_start,
      forget: () => void this.steer([], null),
      keep: async () => {
        try {
          this.steered = await this.source.keep(this.which.property);
          this.drawSteering(view);
        } catch (error) {
          this.drawSteering(view, (error as Error).message);
        }
      },
    });
    const isRunning = this.steered?.state === "running";
    if (this.wasSteering && !isRunning) say("The steered run is over");
    this.wasSteering = isRunning;
  }

  private drawWarnings(view: View): void {
    redraw(
      this.places.warnings,
      view.warnings.length
        ? h(
            "ul",
            { class: "warnings", "aria-label": "Warnings" },
            view.warnings.map((warning) => h("li", {}, h("b", {}, warning.text), h("p", {}, warning.advice), warning.place ? h("p", { class: "note" }, `at ${warning.place}`) : null)),
          )
        : null,
    );
  }

  private drawFailure(view: View): void {
    const { history } = view;
    if (history.counterexamples.length === 0 && !history.report) {
      redraw(this.places.failure);
      return;
    }
    const report = history.report ? h("details", { class: "panel", key: "report", open: history.counterexamples.length === 0 }, h("summary", {}, "What the terminal says"), h("pre", {}, history.report)) : null;
    if (history.counterexamples.length === 0) {
      redraw(this.places.failure, h("h2", {}, "No case failed, but the property does"), report);
      return;
    }
    const ended = history.shrink_ended;
    const shown = history.counterexamples.map((found) => {
      const text = h("pre", { class: "value" }, found.text);
      const line = found.case === null ? null : this.wholeLine(found.case);
      return h("li", {}, text, h("p", { class: "reason" }, found.reason), h("p", { class: "note" }, found.how, found.case === null ? "" : ` · case ${count(found.case + 1)}`), line);
    });
    // While a case is made simpler, the simplest so far is what one wants to see.
    const best = ended === null && history.shrinking.length > 1 ? history.shrinking.at(-1) : undefined;
    if (best) {
      const note = history.ended === false ? `the simplest so far, after ${count(best.run)} runs; shrinking goes on` : "the simplest that was reached before the run broke off";
      shown.unshift(h("li", {}, h("pre", { class: "value" }, best.text), h("p", { class: "reason" }, history.counterexamples[0]!.reason), h("p", { class: "note shrinking-now" }, note)));
    }
    // It has a line of its own, unless that could not be written.
    if (ended && ended.steps > 0 && !history.counterexamples.some((found) => found.text === ended.representation)) {
      shown.unshift(h("li", {}, h("pre", { class: "value" }, ended.representation), h("p", { class: "reason" }, ended.reason), h("p", { class: "note" }, ended.end)));
    }
    redraw(
      this.places.failure,
      h("h2", {}, "Counterexample"),
      h(
        "div",
        { class: "panel failing" },
        h("ul", { class: "counterexamples" }, shown[0]),
        ended?.irrelevant.length ? h("p", { class: "note" }, `Other values fail too, as far as was tried: ${ended.irrelevant.join(", ")}`) : null,
        ended?.notes.length ? [h("h3", {}, "Notes"), h("pre", {}, ended.notes.join("\n"))] : null,
        history.saved ? h("p", { class: "note" }, `Saved as ${history.saved}: `, copyable(`cargo retrospect replay ${this.which.property} --case ${history.saved}`)) : null,
        shown.length > 1 ? h("details", { key: "more-counterexamples" }, h("summary", {}, `${shown.length - 1} more`), h("ul", { class: "counterexamples" }, shown.slice(1))) : null,
      ),
      history.shrinking.length > 1 ? this.shrinking(view) : null,
      report,
    );
  }

  /** Everything that is known about a case, when it is asked for. */
  private wholeLine(at: number): HTMLElement {
    const details = h("details", { key: `whole:${at}` }, h("summary", { class: "note" }, "everything about this case"));
    details.addEventListener("toggle", () => {
      if (details.open && details.children.length === 1) void lineOf(this.source, this.which, at).then((node) => details.append(node));
    });
    return details;
  }

  private shrinking(view: View): HTMLElement {
    const { shrinking, shrink_ended: ended } = view.history;
    const last = shrinking.length - 1;
    const at = this.step < 0 || this.step > last ? last : this.step;
    const step = shrinking[at]!;
    const go = (to: number) => {
      // Who stands at the end stays there while more steps come.
      this.step = to >= last ? -1 : Math.max(0, to);
      this.drawFailure(view);
    };
    const unit = step.case === null ? "choices" : "characters";
    const extra = ended ? `${ended.steps} steps in ${ended.runs} runs, ${ended.choices_before} → ${ended.choices} choices: ${ended.end}` : `${last} steps so far`;
    const before = at > 0 ? shrinking[at - 1]!.text : null;
    const changed = before === null ? null : difference(before, step.text);
    const text = changed ? h("pre", { class: "value" }, changed.head, h("ins", {}, changed.come), changed.tail) : h("pre", { class: "value" }, step.text);
    const isStart = step.run === 0;
    const found = isStart ? `as it was found (${step.pass}): ${step.size} ${unit}` : `after ${step.run} runs, by ${step.pass || "an unnamed pass"}: ${step.size} ${unit}`;
    return panel(
      "How it became simpler",
      extra,
      h(
        "div",
        { class: "evolution" },
        h(
          "div",
          {},
          // Where only numbers become smaller, there is nothing to draw.
          shrinking.some((other) => other.size !== step.size) ? (shrinkChart(shrinking, at, ended?.runs ?? 0, go) as unknown as HTMLElement) : null,
          h("label", { class: "stepper" }, h("input", { type: "range", key: "step", min: "0", max: String(last), value: String(at), "aria-label": "Step", "aria-valuetext": `step ${at}: ${step.size} ${unit}`, on: { input: (event: Event) => go(Number((event.target as HTMLInputElement).value)) } }), h("span", { class: "note" }, `step ${at} of ${last}`)),
        ),
        h("div", {}, h("p", { class: "note" }, found), text, changed?.gone ? h("p", { class: "note" }, changed.come ? "instead of " : "without ", h("del", {}, changed.gone.length > 300 ? `${changed.gone.slice(0, 300)}…` : changed.gone)) : null),
      ),
    );
  }

  private drawTiles(view: View): void {
    const [all, some] = [view.counts, view.selected];
    const tested = (counts: typeof all) => counts.passed + counts.failed;
    const of = (part: number, whole: number) => (this.isFiltered ? `${count(part)} of ${count(whole)}` : count(whole));
    const tile = (name: string, value: string, note: string, kind = "") => h("div", { class: `tile ${kind}` }, h("span", { class: "tile-name" }, name), h("b", {}, value), h("span", { class: "note" }, note));
    const discarded = all.generated ? all.discarded / all.generated : 0;
    const repeated = tested(all) ? all.duplicates / tested(all) : 0;
    redraw(
      this.places.tiles,
      h(
        "div",
        { class: "tiles" },
        tile("Tested", of(some.distinct, all.distinct), "distinct values"),
        tile("Generated", of(some.generated, all.generated), all.shrinking ? `and ${count(all.shrinking)} while shrinking` : "cases"),
        tile("Discarded", of(some.discarded, all.discarded), share(all.discarded, all.generated), discarded > 1 / 3 ? "bad" : ""),
        tile("Repeated", of(some.duplicates, all.duplicates), `${share(all.duplicates, tested(all))} of what was tested`, repeated > 1 / 3 ? "bad" : ""),
        this.isFiltered && Number.isNaN(some.seconds) ? null : tile("Spent", seconds(this.isFiltered ? some.seconds : all.seconds), "in cases"),
        view.history.covers.map((cover) => tile(cover.label, share(cover.held_in, cover.cases), `at least ${short(cover.required * 100)} %: ${cover.verdict}`, cover.verdict === "missed" ? "bad" : "")),
      ),
      mosaic(view, this.filters, this.choice, this.isFiltered),
    );
  }

  private drawFeatures(view: View): void {
    const find = (event: InputEvent) => {
      this.wanted = (event.target as HTMLInputElement).value;
      void this.load();
    };
    const left = view.n_features - view.features.length;
    // A chart of one bar says no more than a line does.
    const isConstant = (chart: Chart) => chart.bins.filter((bin) => bin.all > 0).length === 1 && (chart.numbers ? chart.numbers.min === chart.numbers.max : chart.distinct === 1);
    const [constant, varied] = [view.features.filter(isConstant), view.features.filter((chart) => !isConstant(chart))];
    redraw(
      this.places.features,
      view.n_features
        ? [
            h("h2", {}, "Features"),
            view.n_features > 12 ? h("label", { class: "search" }, "Find a feature ", h("input", { type: "search", key: "feature", value: this.wanted, on: { input: find } })) : null,
            h(
              "div",
              { class: "charts" },
              varied.map((chart) => featureChart(chart, this.filters, this.choice, this.isFiltered)),
              constant.length ? panel("The same in every case", null, h("ul", { class: "constant" }, constant.map((chart) => h("li", {}, h("span", { class: "row-label" }, chart.name), h("code", {}, word(chart.bins.find((bin) => bin.all > 0)?.label ?? "")))))) : null,
            ),
            left > 0 && !this.wanted ? h("button", { type: "button", key: "more-features", on: { click: () => { this.most += 48; void this.load(); } } }, `Show more features (${count(left)} left)`) : null,
          ]
        : null,
    );
  }

  private drawPairs(view: View): void {
    if (view.names.length < 2 || !this.pair) {
      redraw(this.places.pairs);
      return;
    }
    const [x, y] = this.pair;
    const chooser = (label: string, value: string, set: (name: string) => void, key: string) =>
      h("label", {}, `${label} `, h("select", { key, disabled: !this.choice, on: { change: (event: Event) => { set((event.target as HTMLSelectElement).value); void this.load(); } } }, view.names.map((name) => h("option", { value: name, selected: name === value }, name))));
    const never = view.combinations.never;
    redraw(
      this.places.pairs,
      h("h2", {}, "Two features together"),
      h("div", { class: "controls" }, chooser("Across", x, (name) => (this.pair = [name, y]), "pair-x"), chooser("Down", y, (name) => (this.pair = [x, name]), "pair-y")),
      this.grid ? h("div", { class: "panel scroll" }, gridChart(this.grid, this.filters, this.choice, this.isFiltered)) : null,
      view.combinations.possible
        ? panel(
            "Never seen together",
            `${count(view.combinations.seen)} of ${count(view.combinations.possible)} combinations were seen`,
            never.length
              ? h("ul", { class: "never-seen" }, never.map((one) => h("li", {}, h("button", { type: "button", class: "link", key: `never:${one.x.join()}:${one.y.join()}`, disabled: !this.choice, "aria-label": `${one.x[0]} ${word(one.x[1])} with ${one.y[0]} ${word(one.y[1])}: show both features`, on: { click: () => { this.pair = [one.x[0], one.y[0]]; void this.load(); } } }, h("code", {}, `${one.x[0]} = ${word(one.x[1])}`), " with ", h("code", {}, `${one.y[0]} = ${word(one.y[1])}`)), h("span", { class: "note" }, one.expected >= 0.5 ? ` about ${short(one.expected)} would be expected` : " rare anyway"))))
              : h("p", { class: "note" }, "Every value of one was seen with every value of the other."),
          )
        : null,
    );
  }

  private drawRun(view: View): void {
    const { moments } = view;
    if (moments.length < 2) {
      redraw(this.places.run);
      return;
    }
    const n = moments.at(-1)!.to;
    const range = this.filters.find((filter) => filter.on === "cases");
    const lines = view.files.reduce((sum, file) => sum + file.lines, 0);
    const draw = (title: string, extra: string | null, series: { name: string; kind: string; values: number[] }[]) => overRun(title, extra, moments, series, this.isFiltered, this.filters, this.choice);
    const from = h("input", { type: "number", key: "from", min: "1", max: String(n), value: String((range?.from ?? 0) + 1) });
    const to = h("input", { type: "number", key: "to", min: "1", max: String(n), value: String(range?.to ?? n) });
    const select = (event: Event) => {
      event.preventDefault();
      this.choose(setOnly(this.filters, { on: "cases", from: Math.max(0, Number(from.value) - 1), to: Number(to.value) }, "cases"));
    };
    redraw(
      this.places.run,
      h("h2", {}, "Over the run"),
      h(
        "div",
        { class: "charts" },
        draw("Distinct values", "against all that were tested", [
          { name: "tested", kind: "faint", values: moments.map((one) => one.tested) },
          { name: "distinct", kind: "main", values: moments.map((one) => one.distinct) },
        ]),
        lines ? draw("Lines reached", `${count(lines)} in the end`, [{ name: "lines", kind: "main", values: moments.map((one) => one.lines) }]) : null,
        moments.some((one) => one.size > 0) ? draw("Size of values", "mean of choices, or of characters", [{ name: "size", kind: "main", values: moments.map((one) => one.size) }]) : null,
        view.counts.discarded ? draw("Discarded", "share of the cases, in per cent", [{ name: "discarded", kind: "bad", values: moments.map((one) => (one.discarded / (one.to - one.from)) * 100) }]) : null,
      ),
      this.choice ? h("form", { class: "controls", on: { submit: select } }, h("span", {}, "Drag over a chart, or choose cases"), h("label", {}, "from ", from), h("label", {}, "to ", to), h("button", { type: "submit", key: "range" }, "Choose")) : null,
    );
  }

  private drawReasons(view: View): void {
    const list = (title: string, on: "reason" | "how", rows: Reason[]) => {
      const most = Math.max(...rows.map((one) => one.all));
      return panel(
        title,
        null,
        group(
          { class: "words", "aria-label": title },
          rows.map((one) => row({ key: `${on}:${one.text}`, label: one.text, all: one.all, selected: one.selected, most, total: view.counts.generated, filtered: this.isFiltered, pressed: hasText(this.filters, on, one.text), choose: this.choice && (() => this.choose(toggleText(this.filters, on, one.text))), kind: on === "reason" ? one.status : "", isLong: on === "reason" })),
        ),
      );
    };
    const discarded = view.reasons.filter((one) => one.status === "gave_up");
    const failed = view.reasons.filter((one) => one.status === "failed");
    redraw(
      this.places.reasons,
      view.reasons.length || view.how.length
        ? [
            h("h2", {}, "Reasons"),
            h("div", { class: "charts wide" }, discarded.length ? list("Why cases were discarded", "reason", discarded) : null, failed.length ? list("Why cases failed", "reason", failed) : null, view.how.length ? list("How values were made", "how", view.how) : null),
          ]
        : null,
    );
  }

  private drawCoverage(view: View): void {
    if (view.files.length === 0) {
      redraw(this.places.coverage);
      return;
    }
    const open = (file: string) => {
      this.opened = file;
      void this.load();
    };
    // A report does not know which lines each case reached.
    const choice = this.source.isLive ? this.choose : null;
    redraw(
      this.places.coverage,
      h("h2", {}, "Coverage"),
      h("div", { class: "charts wide" }, coverage.files(view, this.opened, open, this.isFiltered && this.source.isLive), view.clusters.length ? coverage.clusters(view, this.filters, choice) : null),
      this.file && this.opened ? coverage.sourceView(this.opened, this.file, this.filters, choice) : null,
    );
    if (this.file && this.opened !== this.scrolledTo) {
      this.scrolledTo = this.opened;
      coverage.showFirst(this.places.coverage);
    }
  }

  private async drawExamples(): Promise<void> {
    let body = this.places.examples.querySelector<HTMLElement>(".examples-body");
    if (!body) {
      body = h("div", { class: "examples-body panel" });
      this.places.examples.replaceChildren(h("h2", { id: "examples" }, "Examples"), body);
    }
    await drawExamples(body, {
      source: this.source,
      which: this.which,
      filters: this.filters,
      choose: this.choose,
      list: this.list,
      again: () => void this.drawExamples(),
      canSteer: this.source.canSteer && this.view?.history.test !== null,
      steer: (marked, direction) => void this.steer(marked, direction),
    });
  }

  private drawMessages(view: View): void {
    redraw(this.places.messages, view.messages.length ? [h("h2", {}, "What tools say"), view.messages.slice(0, 50).map((message, at) => h("details", { class: "panel", key: `message:${at}` }, h("summary", {}, message.title), h("pre", {}, highlighted(message.content, ""))))] : null);
  }
}

/** The two features that come first, or that belong together; that with more groups across. What never changes goes with nothing. */
function firstPair(view: View): [string, string] | null {
  const groups = (name: string) => view.features.find((chart) => chart.name === name)?.bins.filter((bin) => bin.all > 0).length ?? 0;
  const varied = view.names.filter((name) => groups(name) !== 1);
  const [one, other] = view.pairs[0] ?? (varied.length > 1 ? varied : view.names);
  if (one === undefined || other === undefined) return null;
  return groups(one) >= groups(other) ? [one, other] : [other, one];
}
