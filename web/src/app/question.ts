// What the reader wants to know: a network, at which widths, trained how, for how long, on which device.
import type {NetworkName} from "./answers";

export type Workload =
  {readonly iterations: number} | {readonly epochs: number; readonly samples: number};

export interface Asked {
  readonly network: NetworkName | null;
  /** In the order of the server's list; null leaves the network as it is. */
  readonly widths: readonly number[] | null;
  readonly batch: number;
  readonly optimizer: string;
  readonly precision: string;
  readonly mode: "training" | "inference";
  readonly workload: Workload;
  /** Empty: the server chooses. */
  readonly profile: string;
  /** What names all profiles of its device: those of other batches too. */
  readonly device: string;
  readonly method: string;
}

export class Question {
  private readonly listeners_: (() => void)[] = [];

  constructor(private asked_: Asked) {}

  get asked(): Asked {
    return this.asked_;
  }

  set(change: Partial<Asked>): void {
    this.asked_ = {...this.asked_, ...change};
    for (const listener of this.listeners_) listener();
  }

  on_change(listener: () => void): void {
    this.listeners_.push(listener);
  }

  /** As a request names it; null before a network was chosen. */
  network(): object | null {
    const {network, widths} = this.asked_;
    return network && {...network, ...(widths ? {widths} : {})};
  }

  setup(): object {
    const {batch, optimizer, precision} = this.asked_;
    return {batch, optimizer, precision};
  }

  /** The body of a request for an estimate, without an answer from which profile or method. */
  anywhere(): object {
    const {mode, workload} = this.asked_;
    return {network: this.network(), setup: this.setup(), mode, workload};
  }

  /** The body of a request for an estimate. */
  body(): object {
    return {...this.anywhere(), ...this.chosen()};
  }

  /** The same from any profile of the chosen one's device: a profile may be of one batch only. */
  on_device(): object {
    const {device, method} = this.asked_;
    return {...this.anywhere(), ...(device ? {profile: device} : {}), ...(method ? {method} : {})};
  }

  /** What was chosen of profile and method. */
  chosen(): object {
    const {profile, method} = this.asked_;
    return {...(profile ? {profile} : {}), ...(method ? {method} : {})};
  }
}
