import type {Prune, PrunedNetwork} from "./payload";

export interface Named {
  readonly title: string;
  readonly network: PrunedNetwork;
}

/** Widths of a deep network would fill a line. */
function short(model: string): string {
  return model.length <= 40 ? model : `${model.slice(0, 39)}…`;
}

/** The original, what the estimates alone led to, the result, and what else was measured. */
export function networks_of(prune: Prune): Named[] {
  const first = prune.first_found;
  return [
    {title: "original", network: prune.original},
    ...(first && first.model !== prune.pruned.model ? [{title: "first found", network: first}] : []),
    {title: "pruned", network: prune.pruned},
    ...prune.others.map((network) => ({
      title: short(network.model.replace(/^.* pruned to /, "")),
      network,
    })),
  ];
}
