// The widths of a network, and what follows from them for its blocks.

import type {Field} from "./field";

export interface WidthRange {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  readonly step: number;
  readonly original: number;
  readonly held: string | null;  // why it cannot vary
}

export function read_range(field: Field): WidthRange {
  return {
    name: field.at("name").text(),
    least: field.at("least").number(),
    most: field.at("most").number(),
    step: field.at("step").number(),
    original: field.at("original").number(),
    held: field.has("held") ? field.at("held").text() : null,
  };
}

/** What is wrong with these widths; null: nothing. */
export function complaint(ranges: readonly WidthRange[], widths: readonly number[]): string | null {
  if (widths.length !== ranges.length)
    return `the network has ${ranges.length} widths, not ${widths.length}`;
  for (let i = 0; i < ranges.length; ++i) {
    const {name, least, most, step, original, held} = ranges[i];
    const width = widths[i];
    if (width === original) continue;
    if (held !== null) return `width '${name}' stays ${original}: ${held}`;
    const choices = step === 1 ? "a whole number" : `a multiple of ${step}`;
    if (!Number.isInteger(width) || width < least || width > most || (width - least) % step !== 0)
      return `width '${name}' must be ${choices} from ${least} to ${most}, not ${width}`;
  }
  return null;
}

export function inside(
    features: readonly number[], low: readonly number[], high: readonly number[]): boolean {
  return features.every((feature, i) => feature >= low[i] && feature <= high[i]);
}

/** A constant and multiples of widths: [constant, width, factor, width, factor, …]. */
export type Form = readonly number[];

export function read_form(field: Field, widths: number): Form {
  const items = field.items();
  if (items.length % 2 !== 1) field.fail("must be a constant, and a factor for each width");
  return items.map((item, i) => (i % 2 === 1 ? item.index(widths) : item.number()));
}

export function value_of(form: Form, widths: readonly number[]): number {
  let value = form[0];
  for (let i = 1; i < form.length; i += 2) value += form[i + 1] * widths[form[i]];
  return value;
}
