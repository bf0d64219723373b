import type {Field} from "./field";
import {covariance, read_rows, rows_of, scaled, type Rows} from "./matern";

const kAxes = 5;  // of z
const kLeastTime = 1e-9;

/** A block as the energy law sees it. */
export interface PoweredBlock {
  readonly device_s: number;
  readonly flops: number;
  readonly bytes: number;
  readonly first: boolean;
  readonly last: boolean;
}

export interface DynamicEnergy {
  readonly mean: number;
  readonly stddev: number;  // the times being right
}

/** z = (log2 d, log2 FLOPs/d, log2 bytes/d, first?, last?) */
function power_row({device_s, flops, bytes, first, last}: PoweredBlock): number[] {
  const log_d = Math.log2(device_s);
  const log_flops = Math.log2(flops + 1), log_bytes = Math.log2(bytes + 1);
  return [log_d, log_flops - log_d, log_bytes - log_d, first ? 1 : 0, last ? 1 : 0];
}

/**
 * The energy of the work itself: Σ (γ d + α FLOPs + β bytes + κ) + Σ d · g(z), g a Gaussian process
 * of the dynamic power that the first sum leaves over, conditioned on whole networks.
 */
export class EnergyLaw {
  readonly ready_w: number;
  readonly noise: number;  // of a network's energy, relative to it
  private readonly device_w: number;
  private readonly j_per_flop: number;
  private readonly j_per_byte: number;
  private readonly j_per_block: number;
  private readonly variance: number;
  private readonly length_scales: readonly number[];
  private readonly seen: Rows;  // z of all blocks of all networks
  private readonly seen_s: number[] = [];  // and their device times
  private readonly network_of: number[] = [];
  private readonly weights: Float64Array;
  private readonly inverse_lower: Rows;

  constructor(field: Field) {
    this.ready_w = field.at("ready_w").number();
    this.device_w = field.at("device_w").number();
    this.j_per_flop = field.at("j_per_flop").number();
    this.j_per_byte = field.at("j_per_byte").number();
    this.j_per_block = field.at("j_per_block").number();
    this.variance = field.at("power_variance").number();
    this.noise = field.at("noise").number();
    this.length_scales = new Array<number>(kAxes).fill(field.at("length_scale").number());
    this.seen = this.read_seen(field.at("seen"));
    this.weights = field.at("weights").doubles();
    this.inverse_lower = read_rows(field.at("inverse_lower"), this.weights.length);
    if (this.inverse_lower.count !== field.at("seen").items().length)
      field.at("inverse_lower").fail("does not have one row for each network");
  }

  energy(asked: readonly PoweredBlock[]): DynamicEnergy {
    const blocks = asked.map((b) => ({...b, device_s: Math.max(kLeastTime, b.device_s)}));
    let mean = blocks.length * this.j_per_block;
    for (const {device_s, flops, bytes} of blocks)
      mean += this.device_w * device_s + this.j_per_flop * flops + this.j_per_byte * bytes;
    if (this.variance <= 0) return {mean, stddev: 0};
    const z = scaled(rows_of(blocks.map(power_row), kAxes), this.length_scales);
    const times = blocks.map(({device_s}) => device_s);
    const shared = this.with_seen(z, times);
    for (let i = 0; i < shared.length; ++i) mean += shared[i] * this.weights[i];
    const left = this.prior(z, times) - this.explained(shared);
    return {mean, stddev: Math.sqrt(Math.max(0, left))};
  }

  /** Σ Σ d d′ k(z, z′) over the blocks asked for and those of each network seen. */
  private with_seen(z: Rows, times: readonly number[]): Float64Array {
    const shared = new Float64Array(this.weights.length);
    for (let i = 0; i < this.seen.count; ++i) {
      let sum = 0;
      for (let j = 0; j < z.count; ++j)
        sum += times[j] * covariance(this.seen, i, z, j, this.variance);
      shared[this.network_of[i]] += this.seen_s[i] * sum;
    }
    return shared;
  }

  private prior(z: Rows, times: readonly number[]): number {
    let sum = 0;
    for (let i = 0; i < z.count; ++i)
      for (let j = 0; j < z.count; ++j)
        sum += times[i] * times[j] * covariance(z, i, z, j, this.variance);
    return sum;
  }

  /** |L⁻¹ shared|² */
  private explained(shared: Float64Array): number {
    const lower = this.inverse_lower.values;
    let squares = 0;
    for (let i = 0; i < shared.length; ++i) {
      let sum = 0;
      for (let j = 0; j <= i; ++j) sum += lower[i * shared.length + j] * shared[j];
      squares += sum * sum;
    }
    return squares;
  }

  /** A matrix a network: z and the device time of each block. */
  private read_seen(field: Field): Rows {
    const points: Float64Array[] = [];
    field.items().forEach((item, network) => {
      const rows = read_rows(item, kAxes + 1);
      for (let i = 0; i < rows.count; ++i) {
        const row = rows.values.subarray(i * (kAxes + 1), (i + 1) * (kAxes + 1));
        points.push(row.subarray(0, kAxes));
        this.seen_s.push(row[kAxes]);
        this.network_of.push(network);
      }
    });
    return scaled(rows_of(points, kAxes), this.length_scales);
  }
}
