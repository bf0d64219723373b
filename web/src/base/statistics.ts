export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function sorted(values: readonly number[]): number[] {
  return [...values].sort((a, b) => a - b);
}

/** Linear between the two nearest, as most programs do. */
export function quantile(ascending: readonly number[], share: number): number {
  if (ascending.length === 0) return NaN;
  const at = share * (ascending.length - 1);
  const below = ascending[Math.floor(at)] ?? NaN;
  const above = ascending[Math.ceil(at)] ?? NaN;
  return below + (at - Math.floor(at)) * (above - below);
}

export function correlation(xs: readonly number[], ys: readonly number[]): number {
  const x0 = mean(xs),
    y0 = mean(ys);
  let xy = 0,
    xx = 0,
    yy = 0;
  xs.forEach((x, i) => {
    const dx = x - x0,
      dy = (ys[i] ?? NaN) - y0;
    xy += dx * dy;
    xx += dx * dx;
    yy += dy * dy;
  });
  return xy / Math.sqrt(xx * yy);
}

/** Slope and intercept of the least-squares line. */
export function line_through(xs: readonly number[], ys: readonly number[]): [number, number] {
  const x0 = mean(xs),
    y0 = mean(ys);
  let xy = 0,
    xx = 0;
  xs.forEach((x, i) => {
    xy += (x - x0) * ((ys[i] ?? NaN) - y0);
    xx += (x - x0) * (x - x0);
  });
  const slope = xy / xx;
  return [slope, y0 - slope * x0];
}

export function extent(values: readonly number[]): [number, number] {
  let least = Infinity,
    most = -Infinity;
  for (const value of values) {
    if (!isFinite(value)) continue;
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return [least, most];
}

/** Between ascending places; beyond the ends, the value at the end. */
export function interpolated(
  places: readonly number[],
  values: readonly number[],
  at: number,
): number {
  const next = places.findIndex((place) => place >= at);
  if (next < 0) return values[values.length - 1] ?? NaN;
  if (next === 0) return values[0] ?? NaN;
  const [from, to] = [places[next - 1]!, places[next]!];
  const share = (at - from) / (to - from);
  return values[next - 1]! + share * (values[next]! - values[next - 1]!);
}
