// What became of "more like these".

import { h, redraw } from "./dom.ts";
import { count } from "./format.ts";
import { write } from "./route.ts";
import type { Steered, View } from "./types.ts";

export interface SteeringOf {
  property: string;
  /** When the newest run began. */
  newest: number;
  forget: () => void;
  keep: () => void;
}

export function drawSteering(container: Element, steered: Steered | null, view: View, problem: string, of: SteeringOf): void {
  if (!steered?.state && !problem) {
    redraw(container, view.history.steered ? about(view) : null);
    return;
  }
  redraw(
    container,
    h(
      "section",
      { class: "panel steering", "aria-label": "Steering" },
      h("h3", {}, "Steering"),
      problem ? h("p", { class: "reason", role: "alert" }, problem) : null,
      steered?.state ? body(steered, of) : null,
      view.history.steered ? about(view) : null,
    ),
  );
}

function body(steered: Steered, of: SteeringOf): (Node | null)[] {
  const wish = [steered.more.length ? `more like ${count(steered.more.length)} examples` : "", steered.fewer.length ? `fewer like ${count(steered.fewer.length)}` : ""].filter(Boolean).join(", ");
  const isNew = steered.before !== null && of.newest > steered.before;
  const which = (run: number) => ({ property: of.property, run });
  return [
    h("p", { role: "status" }, { running: `Running the test again, with ${wish} …`, done: `Ran with ${wish}.`, failed: "The test did not run." }[steered.state!]),
    steered.state === "running" ? h("progress", { "aria-label": "The test is running" }) : null,
    steered.state === "done" && isNew
      ? h(
          "p",
          { class: "controls" },
          h("a", { class: "button primary", key: "before-after", href: write({ page: "compare", a: which(steered.before!), b: which(of.newest) }) }, "Before and after"),
          h("a", { class: "button", key: "newest", href: write({ page: "property", which: { property: of.property, run: null }, filters: [] }) }, "Show the new run"),
          steered.kept ? null : h("button", { type: "button", key: "keep", on: { click: of.keep } }, "Keep the weights"),
        )
      : null,
    steered.kept ? h("p", {}, "Kept. Name the file at the property: ", h("code", {}, `#[property(weights = "${steered.kept}")]`)) : null,
    steered.state !== "running" ? h("button", { type: "button", class: "link", key: "forget", on: { click: of.forget } }, "Forget these wishes") : null,
    steered.output ? h("details", { key: "steer-output", open: steered.state === "failed" }, h("summary", {}, "What cargo says"), h("p", { class: "note" }, steered.command), h("pre", {}, steered.output)) : null,
  ];
}

/** What the run itself tells of it. */
function about(view: View): HTMLElement {
  const event = view.history.steered!;
  return h(
    "div",
    { class: "note" },
    h("p", {}, event.problem ? `Steering did not work: ${event.problem}` : `This run was steered by ${count(event.more)} examples to make more of and ${count(event.fewer)} to make fewer of.`),
    event.refused.length ? h("details", { key: "refused" }, h("summary", {}, `${count(event.refused.length)} examples could not be used`), h("ul", {}, event.refused.slice(0, 20).map((one) => h("li", {}, h("code", {}, one.example), `: ${one.reason}`)))) : null,
  );
}
