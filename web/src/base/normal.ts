// The normal distribution, to the last digits of a double.

const kSeriesUpTo = 3;

function normal_density(x: number): number {
  return Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
}

/** Half of what lies within ±x: φ(x) (x + x³/3 + x⁵/15 + …). */
function half_within(x: number): number {
  let term = x, sum = x;
  for (let n = 3; Math.abs(term) > 1e-17 * Math.abs(sum); n += 2) {
    term *= (x * x) / n;
    sum += term;
  }
  return normal_density(x) * sum;
}

/** What lies beyond x > 0: φ(x) / (x + 1/(x + 2/(x + 3/…))). */
function beyond(x: number): number {
  let fraction = x;
  for (let n = 100; n >= 1; --n) fraction = x + n / fraction;
  return normal_density(x) / fraction;
}

/** The probability to lie below x. */
function normal_below(x: number): number {
  if (Math.abs(x) < kSeriesUpTo) return 0.5 + half_within(x);
  return x > 0 ? 1 - beyond(x) : beyond(-x);
}

/** The probability to lie within ±x. */
export function within_normal(x: number): number {
  return 2 * normal_below(Math.abs(x)) - 1;
}
