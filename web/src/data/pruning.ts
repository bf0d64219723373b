import type {Prune, PrunedNetwork} from "./payload";

export interface Named {
  readonly title: string;
  readonly network: PrunedNetwork;
}

/** Widths of a deep network would fill a line. */
function short(model: string): string {
  return model.length <= 40 ? model : `${model.slice(0, 39)}…`;
}

/** The original, the result, and what else was measured. */
export function networks_of(prune: Prune): Named[] {
  return [
    {title: "original", network: prune.original},
    {title: "pruned", network: prune.pruned},
    ...prune.others.map((network) => ({
      title: short(network.model.replace(/^.* pruned to /, "")),
      network,
    })),
  ];
}
