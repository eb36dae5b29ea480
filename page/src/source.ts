// Where data comes from: the server, or the report that the page is part of.

import { Report, type ReportData } from "./report.ts";
import type { Comparison, Examples, Filter, Grid, Overview, Progress, SourceFile, Steered, View } from "./types.ts";

export interface News {
  version: number;
  loaded: boolean;
  progress: Progress;
}

/** Which run of which property; the newest, if none is named. */
export interface Which {
  property: string;
  run: number | null;
}

export interface Source {
  /** Whether there is a server, which knows all runs and all lines. */
  readonly isLive: boolean;
  /** Whether charts can be chosen from. */
  canFilter(property: string): boolean;
  readonly canSteer: boolean;
  overview(): Promise<Overview>;
  view(which: Which, filters: Filter[], features: string, most: number): Promise<View>;
  grid(which: Which, filters: Filter[], x: string, y: string): Promise<Grid | null>;
  examples(which: Which, filters: Filter[], order: string, offset: number, limit: number): Promise<Examples>;
  line(which: Which, at: number): Promise<string>;
  file(which: Which, filters: Filter[], file: string): Promise<SourceFile>;
  compare(a: Which, b: Which): Promise<Comparison>;
  steering(property: string): Promise<Steered>;
  steer(which: Which, filters: Filter[], cases: number[], direction: "more" | "fewer" | null): Promise<Steered>;
  keep(property: string): Promise<Steered>;
  follow(news: (news: News) => void, lost: (isLost: boolean) => void): void;
}

export function source(): Source {
  const report = document.getElementById("report");
  return report ? new Report(JSON.parse(report.textContent ?? "{}") as ReportData) : new Server();
}

class Server implements Source {
  readonly isLive = true;
  private readonly key: string | null;

  constructor() {
    // The key comes with the address, and does not stay there, where it could be copied by accident.
    const found = /^#key=([0-9a-f]+)$/.exec(location.hash);
    if (found) {
      sessionStorage.setItem("key", found[1]!);
      history.replaceState(null, "", "#/");
    }
    this.key = sessionStorage.getItem("key");
  }

  get canSteer(): boolean {
    return this.key !== null;
  }

  canFilter(): boolean {
    return true;
  }

  overview(): Promise<Overview> {
    return get("overview", {});
  }

  view(which: Which, filters: Filter[], features: string, most: number): Promise<View> {
    return get("view", { ...which, filters, features, most });
  }

  grid(which: Which, filters: Filter[], x: string, y: string): Promise<Grid> {
    return get("grid", { ...which, filters, x, y });
  }

  examples(which: Which, filters: Filter[], order: string, offset: number, limit: number): Promise<Examples> {
    return get("examples", { ...which, filters, order, offset, limit });
  }

  line(which: Which, at: number): Promise<string> {
    return get("line", { ...which, case: at });
  }

  file(which: Which, filters: Filter[], file: string): Promise<SourceFile> {
    return get("source", { ...which, filters, file });
  }

  compare(a: Which, b: Which): Promise<Comparison> {
    return get("compare", { ...a, other_property: b.property, other_run: b.run });
  }

  steering(property: string): Promise<Steered> {
    return get("steering", { property });
  }

  steer(which: Which, filters: Filter[], cases: number[], direction: "more" | "fewer" | null): Promise<Steered> {
    return this.post("steer", { ...which, filters, cases, direction });
  }

  keep(property: string): Promise<Steered> {
    return this.post("keep", { property });
  }

  follow(news: (news: News) => void, lost: (isLost: boolean) => void): void {
    const events = new EventSource("/api/events");
    events.onmessage = (event) => {
      lost(false);
      news(JSON.parse(event.data as string) as News);
    };
    events.onerror = () => lost(true);
  }

  private async post<T>(what: string, body: unknown): Promise<T> {
    const response = await fetch(`/api/${what}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-retrospect-key": this.key ?? "" },
      body: JSON.stringify(body),
    });
    return answer(response);
  }
}

async function get<T>(what: string, asked: Record<string, unknown>): Promise<T> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(asked)) {
    if (value === null || value === undefined || value === "") continue;
    if (Array.isArray(value) && value.length === 0) continue;
    query.set(name, typeof value === "object" ? JSON.stringify(value) : String(value));
  }
  return answer(await fetch(`/api/${what}?${query}`));
}

async function answer<T>(response: Response): Promise<T> {
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as T;
}
