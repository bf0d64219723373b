// From low to high in one direction of brightness, so that it reads without colour too (after Viridis).
const kColors = [
  "#440154",
  "#46327e",
  "#365c8d",
  "#277f8e",
  "#1fa187",
  "#4ac16d",
  "#a0da39",
  "#fde725",
];

/** Low to high: on paper and on a light page light is little. */
export function heat_colors(): string[] {
  return [...kColors].reverse();
}
