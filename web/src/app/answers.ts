// What the server answers. Numbers have their unit in the key; what is not known is null.
import type {Device, Estimate, Source} from "../data/payload";

/** Why the server refused, as `application/problem+json`. */
export interface Problem {
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code?: string;
  readonly remedy?: string | null;
  readonly about?: string;
}

/** A network as a request names it. */
export type NetworkName =
  {readonly zoo: string} | {readonly upload: string} | {readonly model: unknown};

export interface ZooModel {
  readonly name: string;
  readonly description: string;
  readonly options: readonly {
    readonly key: string;
    readonly default: number;
    readonly help: string;
  }[];
}

export interface Upload {
  readonly upload: string;
  readonly name: string;
  readonly kind: "model" | "program";
}

export interface Width {
  readonly name: string;
  readonly value: number;
  readonly least: number;
  readonly most: number;
  readonly step: number;
}

export interface Widths {
  readonly name: string;
  readonly widths: readonly Width[];
  readonly parameters?: number | null;
}

/** A general profile, which fits any setup, names none. */
export interface ProfileSetup {
  readonly batch?: number;
  readonly optimizer?: string;
  readonly precision?: string;
}

export interface Profile {
  readonly id: string;
  readonly shipped?: boolean;
  readonly device: Device;
  readonly setup: ProfileSetup;
  readonly methods?: readonly string[];
  readonly method?: readonly string[];
  readonly source?: Source;
  readonly updated_at?: string;
  readonly age_s?: number | null;
  readonly points: number;
  readonly drift?: {readonly ratio: number | null; readonly checks: number} | null;
  readonly error?: {readonly energy: number; readonly networks: number} | null;
}

export interface Comparison {
  readonly profile: Profile;
  readonly estimate: Estimate | null;
  readonly error: Problem | null;
}

export type BatchAnswer = Estimate | {readonly error: Problem};

export interface PrunedWidths {
  readonly widths: readonly {readonly name: string; readonly value: number}[];
  readonly energy_j: number | null;
  readonly time_s: number | null;
  readonly upper_j?: number | null;
  readonly parameters?: number;
}

export interface PruneResult {
  readonly original: PrunedWidths;
  readonly pruned: PrunedWidths;
  readonly budget_j: number | null;
  readonly confidence: number;
  readonly judged?: number | null;
  readonly source: Source;
  readonly warnings?: readonly string[];
}

export interface PruneProgress {
  readonly stage: string;
  readonly done: number;
  readonly of: number | null;
}

export interface PruneState {
  readonly prune: string;
  readonly state: "running" | "done" | "failed" | "cancelled";
  readonly progress: PruneProgress | null;
  readonly result: PruneResult | null;
  readonly error: Problem | null;
}

export interface Method {
  readonly name: string;
  readonly description: string;
  readonly baseline: boolean;
}

export interface PowerMeter {
  readonly name: string;
  readonly source: Source | null;
  readonly available: boolean;
  readonly reason: string | null;
  readonly domains: readonly {
    readonly name: string;
    readonly power_w: number | null;
    readonly energy_j: number | null;
  }[];
}
