import type {Medium} from "./palette";

/** What every figure shares: ink on paper, and one type size. */
export interface Look {
  readonly medium: Medium;
  readonly ink: string;
  readonly soft: string;
  readonly rule: string;
  readonly paper: string;
  readonly band: string;
  readonly warning: string;
  readonly font: string;
  readonly size: number;
}

const kScreenFont =
  'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif';
const kPrintFont = "Helvetica, Arial, sans-serif";

const kLight: Look = {
  medium: "light",
  ink: "#1d2330",
  soft: "#596170",
  rule: "#dfe3ea",
  paper: "#ffffff",
  band: "rgba(0,114,178,0.13)",
  warning: "#b3261e",
  font: kScreenFont,
  size: 13,
};

const kLooks: Readonly<Record<Medium, Look>> = {
  light: kLight,
  dark: {
    medium: "dark",
    ink: "#e9edf4",
    soft: "#a4adbb",
    rule: "#343b47",
    paper: "#1a1f28",
    band: "rgba(90,180,240,0.20)",
    warning: "#ff8a80",
    font: kScreenFont,
    size: 13,
  },
  print: {
    ...kLight,
    medium: "print",
    ink: "#000000",
    soft: "#333333",
    rule: "#d4d4d4",
    band: "rgba(0,0,0,0.10)",
    font: kPrintFont,
    size: 11,
  },
};

export function look_of(medium: Medium): Look {
  return kLooks[medium];
}

/** Narrower than this and a figure is laid out for a phone. */
export const kNarrow = 520;

/** Rough, and the same with and without a browser: how wide a line of text will be. */
export function text_width(text: string, look: Look): number {
  return text.length * look.size * 0.55;
}
