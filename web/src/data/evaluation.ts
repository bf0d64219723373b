import {percent} from "../base/format";
import {mean} from "../base/statistics";
import {in_order} from "./methods";
import type {EvaluatedNetwork, Evaluation, MethodScore, Predicted} from "./payload";

export function cell_title(evaluation: Evaluation): string {
  if (evaluation.batch == null) return evaluation.family;
  return `${evaluation.family}, batch ${evaluation.batch}`;
}

/** A name for files. */
export function cell_name(evaluation: Evaluation): string {
  const batch = evaluation.batch == null ? "" : `-batch${evaluation.batch}`;
  return `${evaluation.family}${batch}`.toLowerCase().replace(/[^a-z0-9-]+/g, "-");
}

export function measured_j(network: EvaluatedNetwork): number {
  return mean(network.measured_j_per_iteration);
}

export function measured_s(network: EvaluatedNetwork): number {
  return mean(network.measured_s_per_iteration);
}

/** Told apart: by device where there are several, by number where all else is equal. */
export function with_own_names(evaluations: readonly Evaluation[]): Evaluation[] {
  const devices = new Set(evaluations.map((evaluation) => evaluation.device.name));
  const seen = new Map<string, number>();
  return evaluations.map((evaluation) => {
    const family =
      devices.size > 1 ? `${evaluation.device.name}: ${evaluation.family}` : evaluation.family;
    const key = `${family} ${evaluation.batch}`;
    const times = (seen.get(key) ?? 0) + 1;
    seen.set(key, times);
    return {...evaluation, family: times > 1 ? `${family} (${times})` : family};
  });
}

/** Scored as if the host had stayed as fast as while profiling, where its drift was measured. */
export function on_a_steady_host(evaluations: readonly Evaluation[]): Evaluation[] {
  return evaluations.flatMap((evaluation) => {
    const {repeat_noise, methods} = evaluation;
    if (repeat_noise.steady_host_mape == null) return [];
    const steady = Object.entries(methods).map(([name, score]) => [
      name,
      {...score, ...(score.steady_host ?? {mape: undefined})},
    ]);
    return [
      {
        ...evaluation,
        repeat_noise: {...repeat_noise, mape: repeat_noise.steady_host_mape},
        methods: Object.fromEntries(steady) as Evaluation["methods"],
      },
    ];
  });
}

/** What else there is to say of a mean error, where the host's pace was taken. */
export function other_errors(score: MethodScore): string[] {
  return [
    ...(score.at_hand ? [`${percent(score.at_hand.mape)} with the device at hand`] : []),
    ...(score.steady_host
      ? [`${percent(score.steady_host.mape)} with the host's drift taken out`]
      : []),
  ];
}

/** Those that were measured. */
export function measured_networks(evaluation: Evaluation): EvaluatedNetwork[] {
  return evaluation.networks.filter(
    (network) => !network.failure && network.measured_j_per_iteration.length > 0,
  );
}

/** Methods with something to compare. */
export function compared_methods(evaluations: readonly Evaluation[]): string[] {
  const names = new Set<string>();
  for (const evaluation of evaluations)
    for (const [name, score] of Object.entries(evaluation.methods))
      if (score.compared > 0) names.add(name);
  return in_order([...names]);
}

export interface Compared {
  readonly network: EvaluatedNetwork;
  readonly measured: number;
  readonly estimate: Predicted;
  /** (estimated − measured) / measured */
  readonly error: number;
}

export function compared(evaluation: Evaluation, method: string): Compared[] {
  const rows: Compared[] = [];
  for (const network of measured_networks(evaluation)) {
    const estimate = network.estimates[method];
    if (!estimate) continue;
    const measured = measured_j(network);
    rows.push({network, measured, estimate, error: estimate.mean / measured - 1});
  }
  return rows;
}
