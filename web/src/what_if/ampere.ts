import type {Answer} from "./answer";
import {counted, type CountedBlock, type Kind, type SizedBlock} from "./blocks";
import {Process} from "./process";
import {inside} from "./widths";

interface KindFit {
  readonly low: readonly number[];
  readonly high: readonly number[];
  readonly energy: Process;
  readonly time: Process;
}

/** The published method: the sum of the blocks' Gaussian processes. */
export class AmpereMethod {
  private readonly fits: readonly KindFit[];

  constructor(kinds: readonly Kind[]) {
    this.fits = kinds.map(({field}) => ({
      low: field.at("low").numbers(),
      high: field.at("high").numbers(),
      energy: new Process(field.at("energy_j")),
      time: new Process(field.at("time_s")),
    }));
  }

  /** Kinds are independent, blocks of one kind correlated through the process they share. */
  estimate(blocks: readonly SizedBlock[]): Answer {
    const parts = counted(blocks);
    const add_up = (process: "energy" | "time") => {
      let mean = 0, variance = 0;
      this.fits.forEach((fit, kind) => {
        const own = parts.filter(({block}) => block.kind === kind);
        const sum = fit[process].sum(own.map(({block}) => block.features), own.map(count_of));
        mean += sum.mean;
        variance += sum.variance;
      });
      return {mean, stddev: Math.sqrt(variance)};
    };
    return {
      energy_j_per_iteration: add_up("energy"),
      time_s_per_iteration: add_up("time"),
      extrapolated: parts.some(({block}) => {
        const {low, high} = this.fits[block.kind];
        return !inside(block.features, low, high);
      }),
    };
  }
}

function count_of(part: CountedBlock): number {
  return part.count;
}
