import {mark, type Mark, type Medium} from "../chart/palette";

const kMethods: readonly (readonly [string, string])[] = [
  ["dual", "dual (ours)"],
  ["ampere", "ampere (published)"],
  ["flops", "FLOPs"],
  ["flops+layers", "FLOPs + layers"],
  ["neuralpower", "NeuralPower"],
  ["flops+constant", "FLOPs + constant"],
  ["params", "parameters"],
  ["layers", "layers"],
  ["activations", "activations"],
];

/** Of suites; the first ones are shown before anybody asks for others. */
const kSuiteMethods: readonly (readonly [string, string])[] = [
  ["operations, device at hand, family unknown", "operations, at hand"],
  ["operations, profile alone, family unknown", "operations, alone"],
  ["FLOPs and a constant", "FLOPs + constant"],
  ["roofline of the data sheet at its power", "data sheet, roofline"],
  ["FLOPs, bytes and operations", "FLOPs + bytes + operations"],
  ["power of the data sheet, measured time", "data sheet, power × time"],
  ["operations, device at hand, family known", "operations, at hand, family known"],
  ["operations, profile alone, family known", "operations, alone, family known"],
  ["dual, its own profile", "dual, its own profile"],
];

/** Shown before anybody asks for others: ours, the published one, and the baselines people use. */
export const kUsualMethods: readonly string[] = [
  "dual",
  "ampere",
  "flops",
  "flops+layers",
  "neuralpower",
  ...kSuiteMethods.slice(0, 4).map(([name]) => name),
];

const kAll = [...kMethods, ...kSuiteMethods];

function place(method: string): number {
  const at = kAll.findIndex(([name]) => name === method);
  return at < 0 ? kAll.length : at;
}

export function method_title(method: string): string {
  return kAll[place(method)]?.[1] ?? method;
}

/** A method looks the same in every figure. */
export function method_mark(method: string, medium: Medium): Mark {
  return mark(place(method), medium);
}

export function in_order(methods: readonly string[]): string[] {
  return [...methods].sort((a, b) => place(a) - place(b) || a.localeCompare(b));
}
