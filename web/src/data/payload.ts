// What ampere writes into a report. Numbers have their unit in the key; what is not there is null.
import type {Refusal, WhatIfDocument} from "../what_if/what_if";

export interface Payload {
  readonly report: "choose" | "evaluate" | "estimate" | "fleet" | "generation" | "profile" | "prune";
  readonly title: string;
  readonly made_at: string;
  readonly version: string;
  readonly command: string;
  readonly content: unknown;
}

export type Source = "measured" | "modelled" | "simulated";

/** Where the energies of a page come from: estimated from a profile of this source, or found on the device itself. */
export interface EnergyOrigin {
  readonly source: Source;
  readonly estimated: boolean;
}

export interface Device {
  readonly name: string;
  readonly hardware?: string;
  readonly driver?: string;
  readonly framework?: string;
  readonly meter?: string;
  readonly power_mode?: string;
  readonly source?: string;
  readonly fingerprint?: string;
}

export interface Setup {
  readonly batch: number;
  readonly optimizer: string;
  readonly precision: string;
}

export interface Uncertain {
  readonly mean: number;
  readonly stddev: number;
}

/** Some methods state a deviation of the whole network only. */
export interface PartCost {
  readonly mean: number;
  readonly stddev: number | null;
}

export interface Interval extends Uncertain {
  readonly low: number;
  readonly high: number;
  readonly confidence: number;
}

export interface Predicted {
  readonly mean: number;
  readonly low: number | null;
  readonly high: number | null;
}

export interface Accuracy {
  readonly mape: number;
  readonly bias: number;
  readonly rmspe: number;
  readonly within_5: number;
  readonly within_10: number;
  readonly within_15: number;
  readonly coverage_90: number | null;
}

export interface MethodScore extends Partial<Accuracy> {
  readonly time: Accuracy | null;
  readonly steady_host: Accuracy | null;
  readonly at_hand?: Accuracy | null;
  readonly compared: number;
  readonly points: number;
  readonly seconds: number;
}

export interface EvaluatedNetwork {
  readonly model: string;
  readonly measured_j_per_iteration: readonly number[];
  readonly measured_s_per_iteration: readonly number[];
  readonly estimates: Readonly<Record<string, Predicted>>;
  readonly time_estimates: Readonly<Record<string, Predicted>>;
  readonly failure: string | null;
}

export interface Evaluation {
  readonly family: string;
  readonly batch: number | null; // null of a suite, whose steps have their own
  readonly device: Device;
  readonly environment?: Device;
  readonly setup?: Setup;
  readonly source: Source;
  readonly repeat_noise: {
    readonly mape: number | null;
    readonly time_mape: number | null;
    readonly steady_host_mape: number | null;
  };
  readonly host_drift: number | null;
  readonly methods: Readonly<Record<string, MethodScore>>;
  readonly networks: readonly EvaluatedNetwork[];
  readonly networks_left_out?: number;
}

export interface EvaluateContent {
  readonly evaluations: readonly Evaluation[];
}

/** Equal blocks together; energy and time are those of all of them. */
export interface EstimatePart {
  readonly kind: string;
  readonly role: string;
  readonly features: Readonly<Record<string, number>>;
  readonly count: number;
  /** Null where the profile does not cover the block. */
  readonly energy_j_per_iteration: PartCost | null;
  readonly time_s_per_iteration: PartCost | null;
  readonly extrapolated: boolean;
}

export interface Estimate {
  readonly model: string;
  readonly batch: number;
  readonly iterations: number;
  readonly mode?: string;
  readonly method: string;
  readonly device: Device;
  readonly profile: string;
  readonly source: Source;
  readonly energy_j: Interval | null;
  readonly energy_j_per_iteration: Uncertain | null;
  readonly time_s: Interval | null;
  readonly time_s_per_iteration: Uncertain | null;
  readonly parts: readonly EstimatePart[];
  readonly uncovered: readonly {readonly layer: string; readonly reason: string}[];
  readonly warnings: readonly string[];
  readonly advice: readonly string[];
  readonly battery_share?: Interval | null;
  readonly carbon_g?: Interval | null;
  readonly price?: Interval | null;
}

export interface EstimateContent {
  readonly estimates: readonly Estimate[];
  /** What the page recomputes an estimate from, or why it cannot; one for each estimate. */
  readonly what_if?: readonly (WhatIfDocument | Refusal)[];
}

export interface KindPoint {
  readonly features: readonly number[];
  readonly order: number | null;
  readonly energy_j: number;
  readonly energy_sd: number | null;
  readonly time_s: number;
  readonly time_sd: number | null;
  readonly training_flops: number | null;
  readonly fitted_j: number | null;
  readonly fitted_s?: number | null;
  readonly taken_at: string | null;
  readonly windows: number | null;
}

/** A point that nothing was fitted to, beside what the fit says there. */
export interface KindTest {
  readonly features: readonly number[];
  readonly energy_j: number;
  readonly energy_sd: number;
  readonly time_s: number;
  readonly time_sd: number;
  readonly estimated_j: Uncertain;
  readonly estimated_s: Uncertain;
  /** Estimate less observation, of the observation; null where that is not positive. */
  readonly relative_difference: number | null;
  readonly taken_at: string | null;
  readonly windows: number | null;
}

/** The fit over the widths of one feature. */
export interface Curve {
  readonly x: readonly number[];
  readonly mean: readonly number[];
  readonly low: readonly number[];
  readonly high: readonly number[];
}

export interface Surface {
  readonly x: readonly number[];
  readonly y: readonly number[];
  /** Row by row: mean[i][j] at x[j], y[i]. */
  readonly mean: readonly (readonly number[])[];
  readonly stddev: readonly (readonly number[])[];
  readonly fixed?: Readonly<Record<string, number>> | null;
}

export interface Kind {
  readonly kind: string;
  readonly title: string;
  readonly role: string;
  readonly feature_names: readonly string[];
  readonly points: readonly KindPoint[];
  readonly points_left_out?: number;
  readonly tests?: readonly KindTest[];
  readonly tests_failed?: number;
  readonly more_tests?: boolean;
  readonly curve?: Curve | null;
  readonly steps?: readonly (Omit<Curve, "x"> & {readonly points: number})[] | null;
  readonly surface?: Surface | null;
  readonly constant?: Uncertain | null;
  readonly uncertainty?: readonly {readonly points: number; readonly share: number | null}[] | null;
}

export interface ProfileRow {
  readonly id: string;
  readonly device: Device;
  readonly setup: Setup;
  readonly methods: readonly string[];
  readonly kinds: number;
  readonly points: number;
  readonly failures: number;
  readonly tests?: number;
  readonly updated_at: string;
}

/** [iterations, seconds, joules, why it was rejected or nothing] */
export type Window = readonly [number, number, number | null, string | boolean];

export interface DualTimings {
  readonly title: string;
  readonly feature_names: readonly string[];
  readonly points: readonly {
    readonly features: readonly number[];
    readonly device_s: number;
    readonly host_s: number | null;
    readonly predicted_device_s: number | null;
  }[];
}

export interface DualNetwork {
  readonly model: string;
  readonly measured_j: number;
  readonly fitted_j: number | null;
  readonly measured_s: number;
  readonly fitted_s: number | null;
  readonly taken_at?: string | null;
  readonly windows?: number | null;
}

export interface Dual {
  readonly check?: {
    readonly networks: number;
    readonly energy_mape: number;
    readonly time_mape: number;
  } | null;
  readonly timings?: readonly DualTimings[];
  readonly networks?: readonly DualNetwork[];
  readonly more_networks?: boolean;
  readonly ready_w?: number | null;
}

export interface ProfileContent {
  readonly profile: ProfileRow;
  readonly kinds: readonly Kind[];
  readonly kinds_reason?: string | null;
  readonly dual?: Dual | null;
  readonly dual_reason?: string | null;
  readonly windows?: readonly (readonly Window[])[] | null;
  readonly windows_left_out?: number | null;
}

export interface Score {
  readonly accuracy: number;
  readonly loss: number;
}

export interface PrunedNetwork {
  readonly model: string;
  readonly widths: Readonly<Record<string, number>>;
  readonly parameters: number;
  readonly training_flops: number;
  readonly estimated_j_per_iteration: {
    readonly mean: number;
    readonly stddev: number;
    readonly upper: number;
    readonly confidence: number;
  };
  readonly measured_j_per_iteration: number | null;
  readonly measured_s_per_iteration: number | null;
  /** By which it was accepted, before it was measured once more; not in older files. */
  readonly found_at_j_per_iteration?: number | null;
  readonly share_of_original: number;
  readonly inherited: Score | null;
  readonly test: Score | null;
  readonly epochs:
    | readonly {
        readonly loss: number;
        readonly test: Score | null;
        readonly iterations: number;
        readonly energy_j: number | null;
        readonly time_s: number;
      }[]
    | null;
  /** All iterations on data, as used and as estimated; not in older files. */
  readonly training?: {
    readonly iterations: number;
    readonly energy_j: number;
    readonly estimated_j: number;
  } | null;
  readonly parts: readonly {
    readonly kind: string;
    readonly count: number;
    readonly energy_j_per_iteration: number;
  }[];
}

export interface Prune {
  readonly model: string;
  readonly batch: number;
  readonly device: Device;
  readonly source: Source;
  readonly method: string;
  readonly search: string;
  readonly budget: string;
  readonly budget_j_per_iteration: number;
  readonly confidence: number;
  readonly original: PrunedNetwork;
  readonly pruned: PrunedNetwork;
  readonly others: readonly PrunedNetwork[];
  /** By the first search, from estimates alone; not in older files. */
  readonly first_found?: PrunedNetwork | null;
  readonly judged?: number;
  readonly rounds?: number;
  readonly training_j?: number | null;
  readonly warnings?: readonly string[];
}

export interface PruneContent {
  readonly prunes: readonly Prune[];
}

export interface Costs {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
  readonly confidence: number;
}

/** Inside of a limit or not; null where there is none. */
export type Standing = "inside" | "uncertain" | "outside" | "unknown" | null;

export interface Alternative {
  readonly name: string;
  readonly device: Device | null;
  readonly source: Source | null;
  readonly energy_j: Costs | null;
  readonly time_s: Costs | null;
  readonly limit: string | null;
  readonly peak_memory_bytes: number | null;
  readonly inside: {readonly memory: Standing; readonly energy: Standing; readonly time: Standing};
  readonly front: boolean;
  readonly maybe_front: boolean;
  readonly rank: number | null;
  readonly reason: string | null;
  readonly remedy?: string | null;
}

export interface CheckedAlternative {
  readonly alternative: number;
  readonly name: string;
  readonly source?: Source;
  readonly energy_j?: number;
  readonly time_s?: number;
  readonly failure: string | null;
}

export interface Choices {
  readonly model: string;
  readonly objective: "energy" | "time";
  readonly samples: number;
  readonly epochs: number;
  readonly limits: {
    readonly energy_j: number | null;
    readonly time_s: number | null;
    readonly memory_bytes: number | null;
  };
  readonly alternatives: readonly Alternative[];
  readonly best: number | null;
  readonly why_no_best: string | null;
  readonly least_energy: number | null;
  readonly least_time: number | null;
  readonly knee: number | null;
  readonly why_no_knee: string | null;
  readonly checked: {
    readonly held: boolean | null; // null where fewer than two were measured
    readonly pairs_held: number;
    readonly pairs_turned: number;
    readonly pairs_close: number;
    readonly measured: readonly CheckedAlternative[];
  } | null;
  readonly warnings: readonly string[];
}

export interface ChooseContent {
  readonly choices: readonly Choices[];
}

/** What one token of every sequence costs with a cache of so many tokens. */
export interface ContextCost {
  readonly context: number;
  readonly energy_j_per_token: Costs;
  readonly time_s: Costs;
}

/** A language model that generates, at one batch. What is decoded is null where nothing is. */
export interface GenerationBatch {
  readonly batch: number;
  readonly energy_j_per_prompt_token: Costs;
  readonly energy_j_per_new_token: Costs | null;
  readonly time_to_first_token_s: Costs;
  readonly time_between_tokens_s: Costs | null;
  readonly time_of_slowest_token_s: Costs | null;
  readonly energy_j: Costs;
  readonly time_s: Costs;
  readonly contexts: readonly ContextCost[];
  readonly peak_memory_bytes: number | null;
  readonly cache_bytes: number | null;
  readonly inside: {
    readonly between_tokens: Standing;
    readonly first_token: Standing;
    readonly memory: Standing;
  };
  readonly rank: number | null;
}

export interface Generation {
  readonly model: string;
  readonly prompt: number;
  readonly new_tokens: number;
  readonly number_format: string;
  readonly method: string;
  readonly device: Device;
  readonly profile: string;
  readonly source: Source;
  readonly limits: {
    readonly between_tokens_s: number | null;
    readonly first_token_s: number | null;
    readonly memory_bytes: number | null;
  };
  readonly batches: readonly GenerationBatch[];
  readonly best_batch: number | null;
  readonly why_no_best: string | null;
  readonly best_batch_by_means: number | null;
  readonly warnings: readonly string[];
}

export interface GenerationContent {
  readonly generations: readonly Generation[];
}

export interface FleetJob {
  readonly name: string;
  readonly kind: string;
  readonly node: string;
  readonly state: string;
  readonly reason: string;
  readonly begin_s: number | null;
  readonly end_s: number | null;
  readonly estimated_j: {readonly mean: number; readonly low: number; readonly high: number};
  readonly reserved_j: number;
  readonly spent_j: number;
  readonly assumed_j: number;
  readonly source: Source | null;
  readonly power_most_w: number;
}

export interface FleetContent {
  readonly list: string;
  readonly jobs: readonly FleetJob[];
  readonly power: readonly {
    readonly at_s: number;
    readonly power_w: number;
    readonly most_w: number;
  }[];
  readonly cap_w: number | null;
  readonly accounts: readonly {
    readonly name: string;
    readonly granted_j: number;
    readonly reserved_j: number;
    readonly spent_j: number;
  }[];
  readonly sources: readonly Source[];
}
