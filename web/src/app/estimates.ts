// Asks for the estimate whenever the question changes, and shows it.
import type {Estimate} from "../data/payload";
import {Refused, type Api} from "./api";
import type {BatchAnswer} from "./answers";
import {Latest} from "./latest";
import type {PartsView} from "./parts_view";
import type {Question} from "./question";
import type {TotalPanel} from "./total_panel";

interface Answer {
  readonly estimate: Estimate;
  readonly original: Estimate | null;
}

export class Estimates {
  constructor(
    private readonly api_: Api,
    private readonly question_: Question,
    total: TotalPanel,
    parts: PartsView,
  ) {
    const latest = new Latest<Answer>((signal) => this.ask(signal), {
      busy: () => total.busy(),
      answer: ({estimate, original}) => {
        total.show(estimate, original);
        parts.show(estimate);
      },
      problem: (error) => {
        total.refuse(error);
        if (error instanceof Refused) parts.show(null);
      },
    });
    question_.on_change(() => {
      if (question_.network()) latest.ask();
    });
  }

  /** Where widths were changed, the original is asked for too: what changed is said beside the total. */
  private async ask(signal: AbortSignal): Promise<Answer> {
    const {widths, network} = this.question_.asked;
    const body = this.question_.body();
    if (!widths)
      return {
        estimate: await this.api_.post<Estimate>("/v1/estimate", body, signal),
        original: null,
      };
    const requests = [{}, {network}];
    const {estimates} = await this.api_.post<{estimates: BatchAnswer[]}>(
      "/v1/estimate",
      {...body, requests},
      signal,
    );
    const [now, before] = estimates;
    if (!now || "error" in now)
      throw new Refused(now?.error ?? {title: "Error", status: 0, detail: "There is no answer."});
    return {estimate: now, original: before && !("error" in before) ? before : null};
  }
}
