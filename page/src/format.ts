// Numbers, times and shares, in few characters.

export function count(n: number): string {
  return n.toLocaleString("en-US");
}

export function cases(n: number): string {
  return n === 1 ? "1 case" : `${count(n)} cases`;
}

export function share(part: number, whole: number): string {
  if (whole === 0) return "0 %";
  const percent = (part / whole) * 100;
  if (percent > 0 && percent < 1) return "< 1 %";
  if (percent > 99 && percent < 100) return "> 99 %";
  return `${Math.round(percent)} %`;
}

export function seconds(time: number): string {
  if (time === 0) return "0 s";
  for (const [unit, size] of [["s", 1], ["ms", 1e-3], ["µs", 1e-6]] as const) {
    if (time >= size) return `${short(time / size)} ${unit}`;
  }
  return `${short(time / 1e-9)} ns`;
}

export function short(n: number): string {
  if (!Number.isFinite(n)) return String(n);
  const size = Math.abs(n);
  if (size >= 1e7 || (size > 0 && size < 1e-3)) return n.toExponential(1).replace("e+", "e").replace(".0e", "e");
  if (size >= 100) return count(Math.round(n));
  return String(Number(n.toPrecision(3)));
}

export function moment(start: number): string {
  if (!(start > 0)) return "at an unknown time";
  const date = new Date(start * 1000);
  if (Number.isNaN(date.getTime())) return "at an unknown time";
  return date.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "medium" });
}

/** A text that is not empty. */
export function word(text: string): string {
  return text === "" ? "present" : text;
}

/** Two texts, cut where they begin and where they cease to differ: what is alike before, what each has of its own, what is alike behind. */
export function difference(before: string, after: string): { head: string; gone: string; come: string; tail: string } {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < before.length - head && tail < after.length - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  return { head: after.slice(0, head), gone: before.slice(head, before.length - tail), come: after.slice(head, after.length - tail), tail: after.slice(after.length - tail) };
}
