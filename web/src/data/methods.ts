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

/** Shown before anybody asks for others: ours, the published one, and the baselines people use. */
export const kUsualMethods: readonly string[] = [
  "dual",
  "ampere",
  "flops",
  "flops+layers",
  "neuralpower",
];

function place(method: string): number {
  const at = kMethods.findIndex(([name]) => name === method);
  return at < 0 ? kMethods.length : at;
}

export function method_title(method: string): string {
  return kMethods[place(method)]?.[1] ?? method;
}

/** A method looks the same in every figure. */
export function method_mark(method: string, medium: Medium): Mark {
  return mark(place(method), medium);
}

export function in_order(methods: readonly string[]): string[] {
  return [...methods].sort((a, b) => place(a) - place(b) || a.localeCompare(b));
}
