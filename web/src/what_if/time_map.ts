import type {Field} from "./field";
import {ProcessMean} from "./process";
import {Trees} from "./trees";
import {inside} from "./widths";
import {launch_row, phase_row, tile_row, trend_row} from "./width_rows";

export interface BlockTime {
  readonly device_s: number;
  readonly spread_s: number;  // standard deviation of it
  readonly host_s: number;
  readonly covered: boolean;  // within what was timed
}

/** How long a block of one kind keeps the device and the host busy. */
export class TimeMap {
  private readonly taps: number;
  private readonly low: number[];
  private readonly high: number[];
  private readonly timed = new Map<string, number>();  // device_s by features
  private readonly trend: Float64Array;
  private readonly steps: Trees;
  private readonly smooth: ProcessMean;
  private readonly host: ProcessMean | null;
  private readonly trees_weight: number;  // the rest is the process's
  private readonly device_error: number;
  private readonly repeat_error: number;

  constructor(field: Field) {
    this.taps = field.at("taps").number();
    this.low = field.at("low").numbers();
    this.high = field.at("high").numbers();
    this.read_timed(field.at("timed"));
    this.trend = field.at("trend").doubles();
    this.steps = new Trees(field.at("steps"));
    this.smooth = new ProcessMean(field.at("smooth"));
    this.host = field.has("host") ? new ProcessMean(field.at("host")) : null;
    this.trees_weight = field.at("trees_weight").number();
    this.device_error = field.at("device_error").number();
    this.repeat_error = field.at("repeat_error").number();
  }

  at(features: readonly number[]): BlockTime {
    const host_s = this.host === null ? 0 : Math.exp(this.host.mean(launch_row(features)));
    const known = this.timed.get(features.join());
    if (known !== undefined)
      return {device_s: known, spread_s: known * this.repeat_error, host_s, covered: true};
    const device_s = Math.exp(this.log_time(features));
    const covered = inside(features, this.low, this.high);
    return {device_s, spread_s: device_s * this.device_error, host_s, covered};
  }

  private log_time(features: readonly number[]): number {
    let log_time = 0;
    if (this.trees_weight < 1)
      log_time += (1 - this.trees_weight) * this.smooth.mean(phase_row(features, this.taps));
    if (this.trees_weight > 0) {
      const trend = trend_row(features).reduce((sum, x, i) => sum + x * this.trend[i], 0);
      log_time += this.trees_weight * (trend + this.steps.at(tile_row(features, this.taps)));
    }
    return log_time;
  }

  /** Each the features, then a time. */
  private read_timed(field: Field): void {
    const numbers = field.doubles(), width = this.low.length + 1;
    if (numbers.length % width !== 0) field.fail("does not have one time for each point");
    for (let at = 0; at < numbers.length; at += width)
      this.timed.set(numbers.slice(at, at + width - 1).join(), numbers[at + width - 1]);
  }
}
