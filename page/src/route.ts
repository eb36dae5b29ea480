// What is shown, as it stands in the address: so that it can be kept, and the browser's buttons work.

import type { Filter } from "./types.ts";
import type { Which } from "./source.ts";

export type Route =
  | { page: "overview" }
  | { page: "property"; which: Which; filters: Filter[] }
  | { page: "compare"; a: Which; b: Which };

export function read(hash: string): Route {
  const [path, query] = hash.replace(/^#/, "").split("?", 2);
  const of = new URLSearchParams(query ?? "");
  const which = (property: string, run: string): Which => ({ property: of.get(property) ?? "", run: number(of.get(run)) });
  if (path === "/property" && of.get("name")) {
    return { page: "property", which: which("name", "run"), filters: parsed(of.get("filters")) };
  }
  if (path === "/compare" && of.get("a") && of.get("b")) {
    return { page: "compare", a: which("a", "a_run"), b: which("b", "b_run") };
  }
  return { page: "overview" };
}

export function write(route: Route): string {
  const query = new URLSearchParams();
  const put = (name: string, value: string | number | null) => value !== null && query.set(name, String(value));
  switch (route.page) {
    case "overview":
      return "#/";
    case "property":
      put("name", route.which.property);
      put("run", route.which.run);
      if (route.filters.length) put("filters", JSON.stringify(route.filters));
      return `#/property?${query}`;
    case "compare":
      put("a", route.a.property);
      put("a_run", route.a.run);
      put("b", route.b.property);
      put("b_run", route.b.run);
      return `#/compare?${query}`;
  }
}

function number(text: string | null): number | null {
  return text === null || text === "" || Number.isNaN(Number(text)) ? null : Number(text);
}

/** Filters from an address are checked: somebody may have changed it. */
function parsed(text: string | null): Filter[] {
  if (!text) return [];
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.filter((one): one is Filter => typeof one === "object" && one !== null && "on" in one) : [];
  } catch {
    return [];
  }
}
