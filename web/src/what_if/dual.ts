import type {Answer} from "./answer";
import {counted, type Kind, type SizedBlock} from "./blocks";
import {EnergyLaw, type DynamicEnergy} from "./energy_law";
import type {Field} from "./field";
import {TimeLaw, type NetworkTime} from "./time_law";
import {TimeMap, type BlockTime} from "./time_map";

interface TimedBlock {
  readonly block: SizedBlock;
  readonly count: number;
  readonly time: BlockTime;
}

function work_of(block: SizedBlock): {flops: number; bytes: number} {
  if (block.work === null) throw new Error("the what-if: a block has no work");
  return block.work;
}

/** Our own method: device time, host time and dynamic energy apart, composed. */
export class DualMethod {
  private readonly maps: readonly TimeMap[];
  private readonly time: TimeLaw;
  private readonly energy: EnergyLaw;
  private readonly energy_inflation: number;
  private readonly time_inflation: number;

  constructor(private readonly kinds: readonly Kind[], laws: Field) {
    this.maps = kinds.map(({field}) => new TimeMap(field.at("map")));
    this.time = new TimeLaw(laws.at("time"), kinds.map(({key}) => key));
    this.energy = new EnergyLaw(laws.at("energy"));
    this.energy_inflation = laws.at("energy_inflation").number();
    this.time_inflation = laws.at("time_inflation").number();
  }

  estimate(blocks: readonly SizedBlock[]): Answer {
    const timed = counted(blocks).map(({block, count}) =>
      ({block, count, time: this.maps[block.kind].at(block.features)}));
    const mapped_s = timed.reduce((sum, {count, time}) => sum + count * time.device_s, 0);
    const time = this.network_time(timed, mapped_s);
    const work = this.dynamic(timed, mapped_s > 0 ? time.device_s / mapped_s : 1);
    const mean = this.energy.ready_w * time.time_s + work.mean;
    return {
      energy_j_per_iteration: {mean, stddev: this.energy_sd(mean, time, work)},
      time_s_per_iteration: {mean: time.time_s, stddev: this.time_inflation * time.time_sd},
      extrapolated: timed.some((part) => !part.time.covered),
    };
  }

  /** Equal blocks err alike, others on their own. */
  private network_time(timed: readonly TimedBlock[], mapped_s: number): NetworkTime {
    let device_s = this.time.device_constant, host_s = this.time.host_constant, variance = 0;
    for (const {block, count, time} of timed) {
      device_s += count * this.time.device_share(block.kind, time.device_s, work_of(block).bytes);
      host_s += count * this.time.host_share(block.kind, time.host_s);
      variance += (count * time.spread_s) ** 2;
    }
    return this.time.compose(device_s, host_s, mapped_s > 0 ? Math.sqrt(variance) / mapped_s : 0);
  }

  /** With the device times stretched to the whole network's. */
  private dynamic(timed: readonly TimedBlock[], stretch: number): DynamicEnergy {
    return this.energy.energy(timed.flatMap(({block, count, time}) => {
      const {role} = this.kinds[block.kind];
      const powered = {
        ...work_of(block),
        device_s: stretch * time.device_s,
        first: role === "input",
        last: role === "output",
      };
      return new Array<typeof powered>(count).fill(powered);
    }));
  }

  /** Var E = (∂E/∂d)² Var d + (P0 ∂T/∂h)² Var h + Var e + (noise · E)² */
  private energy_sd(energy_j: number, time: NetworkTime, work: DynamicEnergy): number {
    const power_w = time.device_s > 0 ? work.mean / time.device_s : 0;
    const ready_w = this.energy.ready_w;
    return this.energy_inflation * Math.hypot(
      (ready_w * time.by_device + power_w) * time.device_sd,
      ready_w * time.by_host * time.host_sd,
      work.stddev,
      this.energy.noise * energy_j);
  }
}
