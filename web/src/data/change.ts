// What a network costs at other widths, and how that compares.
import type {Uncertain} from "./payload";

const kNormal90 = 1.6448536269514722;

export interface Total extends Uncertain {
  readonly low: number;
  readonly high: number;
}

/** What an estimate may leave open. */
export interface MaybeUncertain {
  readonly mean: number | null;
  readonly stddev: number | null;
}

/**
 * Of so many iterations; an error in the estimate of one is the same error in all. Null where nothing
 * is known or the mean is not positive: no network trains for nothing or less. No interval reaches below 0.
 */
export function total(one: MaybeUncertain | null | undefined, iterations: number): Total | null {
  if (one?.mean == null || one.stddev == null || !(one.mean > 0)) return null;
  const mean = one.mean * iterations,
    stddev = one.stddev * iterations;
  return {
    mean,
    stddev,
    low: Math.max(0, mean - kNormal90 * stddev),
    high: mean + kNormal90 * stddev,
  };
}

export function change(now: number, before: number | undefined): number | null {
  return before ? now / before - 1 : null;
}
