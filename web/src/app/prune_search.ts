// One search on the server, followed to its end.
import {Refused, Unreachable, type Api} from "./api";
import type {Problem, PruneProgress, PruneResult, PruneState} from "./answers";

export type PruneEnd =
  | {readonly state: "done"; readonly result: PruneResult}
  | {readonly state: "failed"; readonly problem: Problem}
  | {readonly state: "cancelled"};

/** Waits until the server answers again. */
export type WaitForReturn = () => Promise<void>;

const kLost: Problem = {
  title: "Lost",
  status: 0,
  detail: "The server was started anew, and the search is lost. Begin it again.",
};

export class PruneSearch {
  private path_ = "";

  constructor(
    private readonly api_: Api,
    private readonly wait_: WaitForReturn,
    private readonly progress_: (progress: PruneProgress) => void,
  ) {}

  async run(body: object): Promise<PruneEnd> {
    const {prune} = await this.api_.post<{prune: string}>("/v1/prune", body);
    this.path_ = `/v1/prune/${prune}`;
    for (;;) {
      try {
        const end = (await this.listen()) ?? (await this.state());
        if (end) return end;
      } catch (error) {
        if (error instanceof Refused && error.problem.status === 404)
          return {state: "failed", problem: kLost};
        if (!(error instanceof Unreachable)) throw error;
        await this.wait_();
      }
    }
  }

  async cancel(): Promise<void> {
    if (this.path_) await this.api_.remove(this.path_);
  }

  private async listen(): Promise<PruneEnd | null> {
    for await (const {event, data} of this.api_.events(`${this.path_}/events`)) {
      if (event === "progress") this.progress_(data as PruneProgress);
      if (event === "result") return {state: "done", result: data as PruneResult};
      if (event === "failed") return {state: "failed", problem: data as Problem};
      if (event === "cancelled") return {state: "cancelled"};
    }
    return null;
  }

  /** A stream may end early; then the search itself is asked. */
  private async state(): Promise<PruneEnd | null> {
    const {state, result, error} = await this.api_.get<PruneState>(this.path_);
    if (state === "done" && result) return {state, result};
    if (state === "failed" && error) return {state, problem: error};
    return state === "cancelled" ? {state} : null;
  }
}
