// Numbers as people read them. What is not known is never written as a number.

const kPrefixes: readonly (readonly [number, string])[] = [
  [1e12, "T"],
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
  [1, ""],
  [1e-3, "m"],
  [1e-6, "µ"],
  [1e-9, "n"],
];

export const kNone = "–";

function digits(value: number, significant: number): string {
  const magnitude = value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value)));
  return value.toFixed(Math.max(0, Math.min(12, significant - 1 - magnitude)));
}

/** 0.0156 J as "15.6 mJ". */
export function with_unit(value: number | null | undefined, unit: string, significant = 3): string {
  if (value == null || !isFinite(value)) return kNone;
  if (value === 0) return `0 ${unit}`;
  // What rounds up to the next prefix takes it: 999.9 mJ is 1.00 J.
  const rounded = Number(Math.abs(value).toPrecision(significant));
  const [scale, prefix] = kPrefixes.find(([size]) => rounded >= size) ?? [1e-9, "n"];
  return `${digits(value / scale, significant)} ${prefix}${unit}`;
}

export function percent(share: number | null | undefined, decimals = 1): string {
  return share == null || !isFinite(share) ? kNone : `${(100 * share).toFixed(decimals)} %`;
}

export function signed_percent(share: number | null | undefined, decimals = 1): string {
  if (share == null || !isFinite(share)) return kNone;
  return `${share < 0 ? "−" : "+"}${(100 * Math.abs(share)).toFixed(decimals)} %`;
}

/** A plain number with so many significant digits and no needless zeros. */
export function plain(value: number | null | undefined, significant = 4): string {
  if (value == null || !isFinite(value)) return kNone;
  return String(Number(value.toPrecision(significant)));
}

export function whole(value: number): string {
  return Math.round(value)
    .toString()
    .replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");
}

/** "a", "a and b", "a, b and c". */
export function in_words(items: readonly string[]): string {
  if (items.length < 2) return items.join("");
  return `${items.slice(0, -1).join(", ")} and ${items[items.length - 1]}`;
}

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${whole(count)} ${count === 1 ? one : many}`;
}

/** The unit that fits all of these, so that an axis has one: [scale, "mJ"]. */
export function unit_for(values: readonly number[], unit: string): [number, string] {
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (!(largest > 0) || !isFinite(largest)) return [1, unit];
  const [scale, prefix] = kPrefixes.find(([size]) => largest >= size) ?? [1e-9, "n"];
  return [scale, prefix + unit];
}

/** The same, with how a value is written in it. */
export function scaled(
  values: readonly number[],
  unit: string,
): {unit: string; label: (value: number) => string} {
  const [scale, scaled_unit] = unit_for(values, unit);
  return {unit: scaled_unit, label: (value) => String(Number((value / scale).toPrecision(3)))};
}
