export interface Quantity {
  readonly mean: number;
  readonly stddev: number;
}

/** Of one iteration of training. */
export interface Answer {
  readonly energy_j_per_iteration: Quantity;
  readonly time_s_per_iteration: Quantity;
  readonly extrapolated: boolean;  // a block lies outside what was profiled
}

export interface Refusal {
  readonly reason: string;
}
