// What a network costs at other widths, and how that compares.
import type {Uncertain} from "./payload";

const kNormal90 = 1.6448536269514722;

export interface Total extends Uncertain {
  readonly low: number;
  readonly high: number;
}

/** Of so many iterations; an error in the estimate of one is the same error in all. */
export function total(one: Uncertain, iterations: number): Total {
  const mean = one.mean * iterations,
    stddev = one.stddev * iterations;
  return {mean, stddev, low: mean - kNormal90 * stddev, high: mean + kNormal90 * stddev};
}

export function change(now: number, before: number | undefined): number | null {
  return before ? now / before - 1 : null;
}
