// What the server answers: the structures of retrospect_stats::summary and of ui/answers.rs, field by field.

export type Verdict = "failed" | "warning" | "passed";
export type Status = "passed" | "failed" | "gave_up";

export interface Progress {
  bytes_read: number;
  bytes: number;
  files: number;
  unfinished: number;
  problems: string[];
}

export interface Row {
  name: string;
  verdict: Verdict;
  warnings: number;
  passed: number;
  failed: number;
  discarded: number;
  distinct: number;
  running: boolean;
  /** What is to be said first: why it fails, or what to warn of. */
  headline: string | null;
  /** When each run began, how many cases it has, whether it was steered. */
  runs: [number, number, boolean][];
}

export interface Overview {
  properties: Row[];
  lines: number;
  bad_lines: number;
  bad: { file: string; offset: number; problem: string; text: string }[];
  lost: { file: string; state: "replaced" | "deleted" }[];
  progress: Progress;
  loaded: boolean;
  version: number;
  root: string;
  bytes: number;
}

export interface Counts {
  generated: number;
  passed: number;
  failed: number;
  discarded: number;
  distinct: number;
  duplicates: number;
  shrinking: number;
  seconds: number;
  mosaic: [number, number][];
}

export interface Warning {
  kind: string;
  text: string;
  advice: string;
  place: string | null;
  feature: string | null;
}

export interface Bin {
  label: string;
  range: [number, number] | null;
  special: string | null;
  all: number;
  selected: number;
}

export type ChartKind = "numbers" | "magnitudes" | "categories";

export interface Chart {
  name: string;
  kind: ChartKind;
  bins: Bin[];
  distinct: number;
  numbers: { min: number; median: number; p90: number; max: number; are_whole: boolean } | null;
}

export interface Reason {
  text: string;
  place: string | null;
  status: Status;
  all: number;
  selected: number;
}

export interface Moment {
  from: number;
  to: number;
  distinct: number;
  tested: number;
  lines: number;
  discarded: number;
  selected: number;
  size: number;
}

export interface Timing {
  phases: { name: string; seconds: number; selected: number }[];
  bins: { range: [number, number]; all: number; selected: number; seconds: number[] }[];
  median: number;
  p90: number;
  max: number;
}

export interface Counterexample {
  case: number | null;
  text: string;
  reason: string;
  how: string;
}

export interface ShrinkStep {
  run: number;
  pass: string;
  size: number;
  text: string;
  case: number | null;
}

export interface ShrinkEnded {
  end: string;
  steps: number;
  runs: number;
  choices_before: number;
  choices: number;
  seconds: number;
  representation: string;
  reason: string;
  irrelevant: string[];
  notes: string[];
}

export interface SteeredEvent {
  more: number;
  fewer: number;
  refused: { example: string; reason: string }[];
  weights: string | null;
  problem: string | null;
}

export interface History {
  failed: boolean;
  ended: boolean | null;
  test: string | null;
  crate_directory: string | null;
  seed: number | null;
  weights: string | null;
  steered: SteeredEvent | null;
  counterexamples: Counterexample[];
  shrinking: ShrinkStep[];
  shrink_ended: ShrinkEnded | null;
  saved: string | null;
  covers: { label: string; place: string; required: number; held_in: number; cases: number; verdict: string }[];
  discards: { place: string; text: string; count: number }[];
  stopped_because: string | null;
  report: string;
}

export interface Cluster {
  id: string;
  all: number;
  selected: number;
  failed: number;
  lines: string[];
  cases: number[];
}

export interface NeverSeen {
  x: [string, string];
  y: [string, string];
  expected: number;
}

export interface View {
  run_start: number;
  verdict: Verdict;
  counts: Counts;
  selected: Counts;
  warnings: Warning[];
  history: History;
  messages: { kind: string; title: string; content: string }[];
  features: Chart[];
  n_features: number;
  names: string[];
  pairs: [string, string][];
  reasons: Reason[];
  how: Reason[];
  moments: Moment[];
  timing: Timing | null;
  files: { file: string; lines: number; selected: number }[];
  clusters: Cluster[];
  combinations: { possible: number; seen: number; never: NeverSeen[] };
}

export interface Axis {
  name: string;
  kind: ChartKind;
  labels: string[];
  ranges: ([number, number] | null)[];
  special: (string | null)[];
}

export interface Grid {
  x: Axis;
  y: Axis;
  cells: [number, number][][];
}

export interface Example {
  case: number;
  count: number;
  all: number;
  status: Status;
  how: string;
  reason: string;
  text: { Ok: string } | { Err: string };
  length: number;
  seconds: number | null;
}

export interface Examples {
  total: number;
  examples: Example[];
}

export interface SourceFile {
  lines: { line: number; passed: number; failed: number; suspicion: number | null }[];
  text: string | null;
  problem: string | null;
}

export interface Comparison {
  a: View;
  b: View;
  features: { name: string; bins: [string, [number, number]][]; cases: [number, number]; difference: number }[];
}

export interface Steered {
  more: string[];
  fewer: string[];
  state: "running" | "done" | "failed" | null;
  output: string;
  before: number | null;
  weights: string | null;
  kept: string | null;
  command: string;
}

export type Filter =
  | { on: "status"; values: Status[] }
  | { on: "seen"; before: boolean }
  | { on: "feature"; name: string; values: (string | null)[] }
  | { on: "range"; name: string; ranges: [number, number][]; special: string[] }
  | { on: "reason"; values: string[] }
  | { on: "how"; values: string[] }
  | { on: "time"; ranges: [number, number][] }
  | { on: "cases"; from: number; to: number }
  | { on: "line"; file: string; line: number }
  | { on: "cluster"; id: string }
  | { on: "text"; contains: string };
