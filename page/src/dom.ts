// Elements. Text is only ever set as text, so nothing that a file holds becomes markup.

type Child = Node | string | number | null | undefined | false | Child[];

interface Properties {
  class?: string;
  key?: string;
  on?: Record<string, (event: never) => void>;
  style?: Record<string, string>;
  [attribute: string]: unknown;
}

const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes, listeners and children. `key` finds it again after it was drawn anew. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Properties = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), properties, children);
}

export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  properties: Properties = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return fill(document.createElementNS(SVG, tag), properties, children);
}

function fill<E extends HTMLElement | SVGElement>(element: E, properties: Properties, children: Child[]): E {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "on") {
      for (const [event, listener] of Object.entries(value as Record<string, EventListener>)) {
        element.addEventListener(event, listener);
      }
    } else if (name === "style") {
      // One by one: the policy of the page forbids style attributes.
      for (const [property, text] of Object.entries(value as Record<string, string>)) {
        element.style.setProperty(property, text);
      }
    } else if (name === "key") {
      element.dataset.key = String(value);
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  append(element, children);
  return element;
}

function append(element: Element, children: Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(element, child);
    else element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

/** Puts new children in the place of the old; the focus, the open details and what was scrolled (`data-scroll`) go back where they were. */
export function redraw(container: Element, ...children: Child[]): void {
  const active = document.activeElement;
  const key = active instanceof HTMLElement && container.contains(active) ? active.dataset.key : undefined;
  const selection = active instanceof HTMLInputElement && active.type !== "number" ? active.selectionStart : null;
  const open = new Set<string>();
  for (const details of container.querySelectorAll<HTMLDetailsElement>("details[open][data-key]")) {
    open.add(details.dataset.key!);
  }
  const scrolled = window.scrollY;
  const inside = new Map<string, number>();
  for (const element of container.querySelectorAll<HTMLElement>("[data-scroll]")) {
    inside.set(element.dataset.scroll!, element.scrollTop);
  }
  container.replaceChildren();
  append(container, children);
  for (const element of container.querySelectorAll<HTMLElement>("[data-scroll]")) {
    const top = inside.get(element.dataset.scroll!);
    if (top !== undefined) element.scrollTop = top;
  }
  for (const details of container.querySelectorAll<HTMLDetailsElement>("details[data-key]")) {
    if (open.has(details.dataset.key!)) details.open = true;
  }
  if (key !== undefined) {
    const again = [...container.querySelectorAll<HTMLElement>("[data-key]")].find((e) => e.dataset.key === key);
    if (again && !(again instanceof HTMLDetailsElement)) {
      if (again.getAttribute("tabindex") === "-1") enter(again);
      again.focus({ preventScroll: true });
      if (again instanceof HTMLInputElement && selection !== null) again.setSelectionRange(selection, selection);
    }
  }
  if (window.scrollY !== scrolled) window.scrollTo(window.scrollX, scrolled);
}

/** A group with one stop for the tabulator key, inside of which arrows move. */
export function group(properties: Properties, ...children: Child[]): HTMLElement {
  const element = h("div", { role: "group", ...properties }, ...children);
  const items = () => [...element.querySelectorAll<HTMLElement>("[data-item]")];
  items().forEach((item, at) => item.setAttribute("tabindex", at === 0 ? "0" : "-1"));
  element.addEventListener("keydown", (event) => {
    const all = items();
    const at = all.indexOf(document.activeElement as HTMLElement);
    if (at < 0) return;
    const across = Number(element.dataset.columns ?? 0);
    const steps: Record<string, number> = {
      ArrowRight: 1,
      ArrowLeft: -1,
      ArrowDown: across || 1,
      ArrowUp: -(across || 1),
      Home: -at,
      End: all.length - 1 - at,
    };
    const step = steps[event.key];
    const target = step === undefined ? undefined : all[at + step];
    if (!target) return;
    event.preventDefault();
    enter(target);
    target.focus();
  });
  return element;
}

/** Makes an item the one that the tabulator key stops at. */
function enter(item: HTMLElement): void {
  const container = item.closest('[role="group"]');
  for (const other of container?.querySelectorAll<HTMLElement>("[data-item]") ?? []) {
    other.setAttribute("tabindex", other === item ? "0" : "-1");
  }
}

/** Text with a button that copies it. */
export function copyable(text: string): HTMLElement {
  const button = h("button", { type: "button", class: "copy", key: `copy:${text}`, "aria-label": `copy: ${text}` }, "Copy");
  button.addEventListener("click", () => {
    navigator.clipboard.writeText(text).then(
      () => {
        button.textContent = "Copied";
        say("Copied");
        setTimeout(() => (button.textContent = "Copy"), 1500);
      },
      () => (button.textContent = "It cannot be copied here"),
    );
  });
  return h("span", { class: "copyable" }, h("code", {}, text), button);
}

export function say(text: string): void {
  const region = document.getElementById("said");
  if (region) region.textContent = text;
}

let isDown = false;
let waiting: (() => void)[] = [];
window.addEventListener("pointerdown", () => (isDown = true), true);
for (const name of ["pointerup", "pointercancel", "blur"]) {
  window.addEventListener(
    name,
    () => {
      isDown = false;
      // After the click that this may be the end of.
      setTimeout(() => {
        waiting.forEach((go) => go());
        waiting = [];
      });
    },
    true,
  );
}

/** When no button of the pointer is down: what is dragged over must not be drawn anew. */
export function released(): Promise<void> {
  return isDown ? new Promise((go) => waiting.push(go)) : Promise.resolve();
}
