// Time against energy over batch sizes: all of them in one request.
import {in_words} from "../base/format";
import {origin_word} from "../data/origin";
import {batch_curve, type BatchCost} from "../figures/batch_curve";
import {element} from "../page/dom";
import type {MediumChoice} from "../page/medium";
import type {Api} from "./api";
import {AskedView} from "./asked_view";
import type {BatchAnswer} from "./answers";
import {LiveChart} from "./charts";
import {fill} from "./fields";
import type {Question} from "./question";

const kBatches = [1, 2, 4, 8, 10, 16, 32, 64, 128, 256, 512, 1024];

interface Answers {
  readonly batches: readonly number[];
  readonly estimates: readonly BatchAnswer[];
}

function cost(batch: number, answer: BatchAnswer): BatchCost | null {
  if ("error" in answer || !answer.energy_j || !answer.time_s) return null;
  const samples = batch * answer.iterations;
  const {mean, low, high} = answer.energy_j;
  return {
    batch,
    device: `${answer.device.name} (${origin_word({source: answer.source, estimated: true})})`,
    energy: mean / samples,
    low: low / samples,
    high: high / samples,
    time: answer.time_s.mean / samples,
  };
}

function reason(answer: BatchAnswer): string {
  if ("error" in answer) return answer.error.detail;
  const [first] = answer.uncovered;
  return first ? `${first.layer}: ${first.reason}` : "the profile does not cover the network";
}

export class BatchesView extends AskedView<Answers> {
  readonly id = "batches";
  readonly title = "Batch sizes";
  private readonly chart_: LiveChart;
  private readonly unknown_ = element("div", {class: "says"});

  constructor(
    private readonly api_: Api,
    question: Question,
    medium: MediumChoice,
  ) {
    super(question);
    this.chart_ = new LiveChart(medium);
    this.element.append(this.says_, this.chart_.element, this.unknown_);
  }

  protected async ask(signal: AbortSignal): Promise<Answers> {
    const chosen = this.question_.asked.batch;
    const batches = [...new Set([...kBatches, chosen])].sort((a, b) => a - b);
    const requests = batches.map((batch) => ({setup: {...this.question_.setup(), batch}}));
    const {estimates} = await this.api_.post<{estimates: BatchAnswer[]}>(
      "/v1/estimate",
      {...this.question_.on_device(), requests},
      signal,
    );
    return {batches, estimates};
  }

  protected show({batches, estimates}: Answers): void {
    const known: BatchCost[] = [];
    const reasons = new Map<string, number[]>();
    estimates.forEach((answer, i) => {
      const batch = batches[i]!;
      const found = cost(batch, answer);
      if (found) return known.push(found);
      // The same reason for several batches is said once.
      const text = reason(answer).replace(new RegExp(`\\bbatch ${batch}\\b`, "g"), "this batch");
      return reasons.set(text, [...(reasons.get(text) ?? []), batch]);
    });
    if (known.length > 0) this.chart_.show(batch_curve(known));
    else this.chart_.clear();
    fill(
      this.unknown_,
      ...[...reasons].map(([text, of]) =>
        element(
          "p",
          {class: "notice"},
          element("strong", {}, `Batch ${in_words(of.map(String))}: unknown. `),
          text,
        ),
      ),
    );
  }

  protected clear(): void {
    this.chart_.clear();
    fill(this.unknown_);
  }
}
