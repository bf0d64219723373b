// Marks that can be told apart without colour: every series also has a symbol, a dash and a decal of
// its own. The colours are those of Okabe and Ito, which colour-blind people can tell apart; on a dark
// page they are lighter.

export type Medium = "light" | "dark" | "print";

export interface Decal {
  symbol: string;
  symbolSize: number;
  dashArrayX: number | number[] | number[][];
  dashArrayY: number | number[];
  rotation: number;
  color: string;
}

export interface Mark {
  readonly color: string;
  readonly symbol: string;
  readonly dash: "solid" | number[];
  readonly decal: Decal | null;
}

interface Ink {
  readonly light: string;
  readonly dark: string;
}

const kInks: readonly Ink[] = [
  {light: "#0072b2", dark: "#5ab4f0"},
  {light: "#d55e00", dark: "#ff8a4a"},
  {light: "#3d3d3d", dark: "#d8d8d8"},
  {light: "#009e73", dark: "#3ccfa2"},
  {light: "#cc79a7", dark: "#eba3cb"},
  {light: "#e69f00", dark: "#f5bf4f"},
  {light: "#56b4e9", dark: "#9bd6fa"},
  {light: "#8c6d1f", dark: "#d1b45f"},
  {light: "#7f7f7f", dark: "#a6a6a6"},
];

export const kTriangleDown = "path://M0,0 L10,0 L5,9 Z";
const kCross = "path://M0,2 L2,0 L5,3 L8,0 L10,2 L7,5 L10,8 L8,10 L5,7 L2,10 L0,8 L3,5 Z";
const kPlus = "path://M3.5,0 h3 v3.5 h3.5 v3 h-3.5 v3.5 h-3 v-3.5 h-3.5 v-3 h3.5 Z";
const kHourglass = "path://M0,0 h10 L0,10 h10 Z";
const kHexagon = "path://M5,0 L9.3,2.5 L9.3,7.5 L5,10 L0.7,7.5 L0.7,2.5 Z";
const kSymbols = [
  "circle",
  "triangle",
  "diamond",
  "rect",
  kTriangleDown,
  kCross,
  kPlus,
  kHourglass,
  kHexagon,
];

const kDashes: readonly ("solid" | number[])[] = [
  "solid",
  [8, 4],
  [2, 3],
  [8, 3, 2, 3],
  [12, 3],
  [4, 2],
  [2, 2, 6, 2],
  [1, 4],
  [6, 6],
];

function stripes(color: string, gap: number, rotation: number): Decal {
  return {symbol: "rect", symbolSize: 1, dashArrayX: [1, 0], dashArrayY: [2, gap], rotation, color};
}

function dots(color: string): Decal {
  return {
    symbol: "circle",
    symbolSize: 0.7,
    dashArrayX: [
      [5, 5],
      [0, 5, 5, 0],
    ],
    dashArrayY: [5, 0],
    rotation: 0,
    color,
  };
}

function decals(medium: Medium): readonly (Decal | null)[] {
  const color = medium === "dark" ? "rgba(0,0,0,0.34)" : "rgba(255,255,255,0.55)";
  return [
    null,
    stripes(color, 5, -Math.PI / 4),
    stripes(color, 3, Math.PI / 4),
    dots(color),
    stripes(color, 5, 0),
    stripes(color, 5, Math.PI / 2),
    stripes(color, 9, Math.PI / 4),
    stripes(color, 9, -Math.PI / 4),
    stripes(color, 2, Math.PI / 2),
  ];
}

/** Of what was measured to test a fit: a red cross, as no series has one. */
export function test_mark(medium: Medium): {readonly color: string; readonly symbol: string} {
  return {color: medium === "dark" ? "#ff6257" : "#c8102e", symbol: kCross};
}

/** The mark of the n-th series; after the last colour they begin anew, with other symbols and dashes. */
export function mark(index: number, medium: Medium): Mark {
  const at = index % kInks.length;
  const ink = kInks[at]!;
  const shape = (at + 2 * Math.floor(index / kInks.length)) % kSymbols.length;
  return {
    color: medium === "dark" ? ink.dark : ink.light,
    symbol: kSymbols[shape]!,
    dash: kDashes[shape]!,
    decal: decals(medium)[shape]!,
  };
}
