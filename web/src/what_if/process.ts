import type {Field} from "./field";
import {covariance, read_rows, rows_of, scaled, type Rows} from "./matern";

/** The mean of a Gaussian process. */
export class ProcessMean {
  protected readonly constant: number;
  protected readonly variance: number;
  protected readonly length_scales: Float64Array;
  protected readonly points: Rows;
  private readonly weights: Float64Array;

  constructor(field: Field) {
    this.constant = field.at("constant").number();
    this.variance = field.at("signal_variance").number();
    this.length_scales = field.at("length_scales").doubles();
    this.weights = field.at("weights").doubles();
    const columns = this.length_scales.length;
    const x = columns === 0
      ? {count: this.weights.length, columns, values: new Float64Array(0)}
      : read_rows(field.at("x"), columns);
    if (x.count !== this.weights.length)
      field.at("weights").fail("does not have one value for each point");
    this.points = scaled(x, this.length_scales);
  }

  mean(at: ArrayLike<number>): number {
    return this.mean_of(this.asked([at]), 0);
  }

  protected asked(points: readonly ArrayLike<number>[]): Rows {
    return scaled(rows_of(points, this.length_scales.length), this.length_scales);
  }

  protected mean_of(asked: Rows, row: number): number {
    let sum = 0;
    for (let i = 0; i < this.points.count; ++i)
      sum += covariance(this.points, i, asked, row, this.variance) * this.weights[i];
    return this.constant + sum;
  }
}

export interface Sum {
  readonly mean: number;
  readonly variance: number;
}

/** A Gaussian process with its variance. */
export class Process extends ProcessMean {
  private readonly inverse_lower: Rows;

  constructor(field: Field) {
    super(field);
    this.inverse_lower = read_rows(field.at("inverse_lower"), this.points.count);
    if (this.inverse_lower.count !== this.points.count)
      field.at("inverse_lower").fail("does not have one row for each point");
  }

  /** Of so many times each of these different points: Σ n·μ and nᵀΣn. */
  sum(points: readonly ArrayLike<number>[], counts: readonly number[]): Sum {
    const asked = this.asked(points);
    const whitened = points.map((_, row) => this.whitened(asked, row));
    let mean = 0, variance = 0;
    for (let i = 0; i < asked.count; ++i) {
      mean += counts[i] * this.mean_of(asked, i);
      variance += counts[i] * counts[i] * Math.max(0, this.joint(asked, whitened, i, i));
      for (let j = 0; j < i; ++j)
        variance += 2 * counts[i] * counts[j] * this.joint(asked, whitened, i, j);
    }
    return {mean, variance: Math.max(0, variance)};
  }

  private joint(asked: Rows, whitened: readonly Float64Array[], i: number, j: number): number {
    let known = 0;
    for (let k = 0; k < this.points.count; ++k) known += whitened[i][k] * whitened[j][k];
    return covariance(asked, i, asked, j, this.variance) - known;
  }

  /** L⁻¹ k of a point asked for. */
  private whitened(asked: Rows, row: number): Float64Array {
    const count = this.points.count, lower = this.inverse_lower.values;
    const with_points = new Float64Array(count), result = new Float64Array(count);
    for (let i = 0; i < count; ++i) {
      with_points[i] = covariance(this.points, i, asked, row, this.variance);
      let sum = 0;
      for (let j = 0; j <= i; ++j) sum += lower[i * count + j] * with_points[j];
      result[i] = sum;
    }
    return result;
  }
}
