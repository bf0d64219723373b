import type {Field} from "./field";
import {normal_below, normal_density} from "../base/normal";

export interface NetworkTime {
  readonly device_s: number;
  readonly device_sd: number;
  readonly host_sd: number;
  readonly time_s: number;
  readonly time_sd: number;
  readonly by_device: number;  // ∂T/∂d
  readonly by_host: number;  // ∂T/∂h
}

/**
 * From the times of the blocks to the time of an iteration of the whole network.
 *
 *   d = w0 + w1 Σ d_block + w2 · blocks + w3 Σ bytes + Σ_kind v_kind Σ d_block of the kind
 *   h = a Σ h_block + b + Σ_kind k_kind · count
 *   T = max(h, d) + (1 − overlap) min(h, d); on a synchronous device T = d
 */
export class TimeLaw {
  readonly device_constant: number;
  readonly host_constant: number;
  private readonly synchronous: boolean;
  private readonly device_scale: number;
  private readonly device_per_block: number;
  private readonly device_per_byte: number;
  private readonly host_scale: number;
  private readonly overlap: number;
  private readonly device_error: number;
  private readonly host_error: number;
  private readonly scale_of_kind: readonly number[];  // on top of device_scale
  private readonly host_of_kind: readonly number[];

  constructor(field: Field, kinds: readonly string[]) {
    this.synchronous = field.at("synchronous").boolean();
    this.device_constant = field.at("device_constant_s").number();
    this.device_scale = field.at("device_scale").number();
    this.device_per_block = field.at("device_per_block_s").number();
    this.device_per_byte = field.at("device_s_per_byte").number();
    this.host_constant = field.at("host_constant_s").number();
    this.host_scale = field.at("host_scale").number();
    this.overlap = field.at("overlap").number();
    this.device_error = field.at("device_error").number();
    this.host_error = field.at("host_error").number();
    this.scale_of_kind = kinds.map((key) => field.at("device_scale_of_kind").number_of(key));
    this.host_of_kind = kinds.map((key) => field.at("host_per_kind_s").number_of(key));
  }

  device_share(kind: number, device_s: number, bytes: number): number {
    return (this.device_scale + this.scale_of_kind[kind]) * device_s + this.device_per_block +
      this.device_per_byte * bytes;
  }

  host_share(kind: number, host_s: number): number {
    return this.host_scale * host_s + this.host_of_kind[kind];
  }

  /** Clark's moments of the larger of two normal quantities. */
  compose(device_s: number, host_s: number, maps_error: number): NetworkTime {
    const device_sd = device_s * Math.hypot(this.device_error, maps_error);
    if (this.synchronous) {
      const alone = {time_s: device_s, time_sd: device_sd, by_device: 1, by_host: 0};
      return {device_s, device_sd, host_sd: 0, ...alone};
    }
    const host_sd = host_s * this.host_error, apart = 1 - this.overlap;
    const both = Math.max(Math.hypot(device_sd, host_sd), 1e-12);
    const gap = (device_s - host_s) / both;
    const device_longer = normal_below(gap), host_longer = normal_below(-gap);
    const by_device = device_longer + apart * host_longer;
    const by_host = host_longer + apart * device_longer;
    return {
      device_s,
      device_sd,
      host_sd,
      time_s: Math.max(host_s, device_s) + apart * Math.min(host_s, device_s),
      time_sd: Math.hypot(by_device * device_sd, by_host * host_sd, both * normal_density(gap)),
      by_device,
      by_host,
    };
  }
}
