// How the widths of a block show in its time: smoothly, and in steps where they do or do not fill
// the device's tiles.

const kTile = 64;
const kMostHalvings = 3;
const kLaunchWidth = 32;

function halvings(width: number): number {
  let times = 0;
  while (times < kMostHalvings && width % 2 ** (times + 1) === 0) ++times;
  return times;
}

/** 1, logarithms, their squares and products. */
export function trend_row(widths: readonly number[]): number[] {
  const logs = widths.map(Math.log2), row = [1, ...logs];
  logs.forEach((a, i) => logs.slice(i).forEach((b) => row.push(a * b)));
  return row;
}

/** For trees: the widths, and what is left of them over powers of two. */
export function tile_row(widths: readonly number[], taps: number): number[] {
  const row: number[] = [];
  for (const c of widths) {
    row.push(c, c % 8, c % 16, c % 32, (c - 1) % kTile);
    row.push((taps * c) % 32, (taps * c) % kTile, (taps * c) % (2 * kTile), halvings(c));
  }
  if (widths.length > 1)
    row.push(widths.reduce((product, c) => product * c, 1), widths[0] / widths[1]);
  return row;
}

/** For a Gaussian process: logarithms, how often 2 divides them, phases within a tile. */
export function phase_row(widths: readonly number[], taps: number): number[] {
  const row: number[] = [];
  for (const c of widths) {
    row.push(Math.log2(c), halvings(c) / kMostHalvings, ((c - 1) % kTile) / kTile);
    if (taps > 1) row.push(((taps * c) % kTile) / kTile);
  }
  return row;
}

/** For the host, which launches more kernels for wider layers. */
export function launch_row(widths: readonly number[]): number[] {
  return widths.flatMap((c) => [Math.log2(c), c / kLaunchWidth]);
}
