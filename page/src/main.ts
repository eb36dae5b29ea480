import "./style.css";
import { drawCompare } from "./compare.ts";
import { h, redraw, released } from "./dom.ts";
import { drawOverview } from "./overview.ts";
import { PropertyPage } from "./property.ts";
import { read } from "./route.ts";
import { source as newSource, type News } from "./source.ts";
import type { Overview } from "./types.ts";

const source = newSource();
const live = h("span", { class: "live", role: "status" });
const progress = h("div", { class: "loading", role: "progressbar", "aria-label": "Reading", hidden: true }, h("span", {}));
const problem = h("div", { class: "problem", role: "alert" });
const main = h("main", { id: "main", tabindex: "-1" });

let overview: Overview | null = null;
let page: PropertyPage | null = null;
/** What of the overview is on the screen. */
let drawn = "";
let isDrawing = false;
let isStale = false;

function start(): void {
  const theme = h("button", { type: "button", class: "theme", on: { click: nextTheme } });
  document.getElementById("app")!.append(
    h("a", { class: "skip", href: "#main", on: { click: (event: Event) => { event.preventDefault(); main.focus(); } } }, "Skip to the content"),
    h("header", { class: "top" }, h("a", { class: "home", href: "#/" }, "retrospect"), live, theme),
    progress,
    problem,
    main,
    h("div", { id: "said", class: "sr", role: "status" }),
  );
  applyTheme(theme);
  window.addEventListener("hashchange", () => void draw());
  if (source.isLive) {
    source.follow(follow, (isLost) => {
      live.textContent = isLost ? "not connected: is cargo retrospect ui still running?" : "live";
      live.classList.toggle("lost", isLost);
    });
  } else {
    live.textContent = "a report";
    void draw();
  }
}

/** Something is new. Two drawings never run at a time; what came in between is drawn once. */
function follow(news: News): void {
  const { bytes, bytes_read: done } = news.progress;
  progress.hidden = news.loaded;
  const percent = bytes ? Math.floor((done / bytes) * 100) : 0;
  progress.setAttribute("aria-valuenow", String(percent));
  (progress.firstElementChild as HTMLElement).style.setProperty("width", `${percent}%`);
  if (!news.loaded) live.textContent = `reading, ${percent} %`;
  void draw();
}

async function draw(): Promise<void> {
  if (isDrawing) {
    isStale = true;
    return;
  }
  isDrawing = true;
  try {
    await drawOnce();
    problem.textContent = "";
    document.body.dataset.version = String(overview?.version ?? 0);
  } catch (error) {
    problem.textContent = (error as Error).message;
  } finally {
    isDrawing = false;
  }
  if (isStale) {
    isStale = false;
    await draw();
  }
}

async function drawOnce(): Promise<void> {
  const route = read(location.hash);
  overview = await source.overview();
  if (route.page !== "overview") drawn = "";
  if (route.page === "property") {
    if (!page?.shows(route.which)) {
      page = new PropertyPage(main, source, route.which, route.filters, overview);
      window.scrollTo(0, 0);
    }
    document.title = `${route.which.property} — what was tested`;
    page.setFilters(route.filters);
    page.setOverview(overview);
    await page.load();
    return;
  }
  page = null;
  if (route.page === "compare") {
    document.title = "Two runs — what was tested";
    await drawCompare(main, source, route.a, route.b);
    return;
  }
  document.title = "What was tested";
  const only = overview.properties.length === 1 && !sessionStorage.getItem("opened") ? overview.properties[0] : undefined;
  if (only && overview.loaded) {
    // There is nothing to choose from.
    sessionStorage.setItem("opened", "1");
    location.hash = `#/property?${new URLSearchParams({ name: only.name })}`;
    return;
  }
  const state = JSON.stringify({ ...overview, version: 0, bytes: 0 });
  if (state === drawn) return;
  // Not under a finger: a click on what is drawn anew in between would be lost.
  await released();
  if (read(location.hash).page !== "overview") return;
  if (!drawn) redraw(main);
  drawOverview(main, overview, source.isLive);
  drawn = state;
}

const THEMES = ["system", "light", "dark"];

function nextTheme(event: Event): void {
  const at = THEMES.indexOf(stored("theme") ?? "system");
  store("theme", THEMES[(at + 1) % THEMES.length]!);
  applyTheme(event.currentTarget as HTMLElement);
}

function applyTheme(button: HTMLElement): void {
  const theme = stored("theme") ?? "system";
  document.documentElement.dataset.theme = theme;
  button.textContent = { system: "◐ system", light: "○ light", dark: "● dark" }[theme] ?? theme;
  button.setAttribute("aria-label", `Colours: ${theme}. Change them.`);
}

// A report that is opened as a file may have no storage.
function stored(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

function store(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // Then it is forgotten.
  }
}

start();
