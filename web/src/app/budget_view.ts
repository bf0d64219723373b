// Finds a narrower network inside an energy budget, and sets the sliders to it.
import {counted, percent, with_unit} from "../base/format";
import {change} from "../data/change";
import {prune_widths} from "../figures/prune_widths";
import {change_text} from "../page/change_text";
import {button, element} from "../page/dom";
import type {MediumChoice} from "../page/medium";
import {badge} from "../page/shell";
import type {Api} from "./api";
import type {PruneProgress, PruneResult, PrunedWidths} from "./answers";
import {LiveChart} from "./charts";
import {fill, labelled, select} from "./fields";
import {error_element, problem_element} from "./problem_view";
import {PruneSearch, type PruneEnd, type WaitForReturn} from "./prune_search";
import type {Question} from "./question";
import type {View} from "./view";

function widths_of({widths, parameters}: PrunedWidths) {
  return {widths: Object.fromEntries(widths.map(({name, value}) => [name, value])), parameters};
}

export class BudgetView implements View {
  readonly id = "budget";
  readonly title = "Budget";
  readonly of_network = true;
  readonly element: HTMLElement;
  private readonly budget_ = element("input", {
    type: "text",
    id: "budget-field",
    value: "70%",
    required: "",
    autocomplete: "off",
    "aria-describedby": "budget-hint",
  });
  private readonly confidence_ = select("confidence", [
    ["0.9", "90 %"],
    ["0.95", "95 %"],
    ["0.99", "99 %"],
  ]);
  private readonly search_ = select(
    "search",
    ["evolutionary", "greedy", "random"].map((word) => [word, word] as const),
  );
  private readonly begin_ = element("button", {type: "submit", class: "main"}, "Find widths");
  private readonly cancel_ = button("Cancel", "cancel the search", () => void this.cancel());
  private readonly bar_ = element("progress", {"aria-label": "progress of the search"});
  private readonly stage_ = element("p", {class: "soft", role: "status"});
  private readonly says_ = element("div", {class: "says"});
  private readonly found_ = element("div", {"aria-live": "polite"});
  private readonly chart_: LiveChart;
  private running_: PruneSearch | null = null;

  constructor(
    private readonly api_: Api,
    private readonly question_: Question,
    medium: MediumChoice,
    private readonly wait_: WaitForReturn,
    private readonly set_widths_: (widths: ReadonlyMap<string, number>) => void,
  ) {
    this.chart_ = new LiveChart(medium);
    this.confidence_.value = "0.95";
    const form = element(
      "form",
      {class: "panel"},
      element(
        "div",
        {class: "fields"},
        labelled("Budget", this.budget_),
        labelled("Confidence", this.confidence_),
        labelled("Search", this.search_),
      ),
      element(
        "p",
        {class: "soft hint", id: "budget-hint"},
        "A share of the original as in 50%, joules per iteration as in 0.4J or 300mJ, or a total as in 2kJ total.",
      ),
      element("div", {class: "buttons"}, this.begin_, this.cancel_, this.bar_),
      this.stage_,
      this.says_,
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.run();
    });
    this.element = element("div", {}, form, this.found_, this.chart_.element);
    this.set_running(null);
  }

  open(): void {}
  close(): void {}

  private body(): object {
    const {workload} = this.question_.asked;
    return {
      network: this.question_.network(),
      setup: this.question_.setup(),
      ...this.question_.chosen(),
      ...("iterations" in workload ? workload : {}),
      budget: this.budget_.value.trim(),
      confidence: Number(this.confidence_.value),
      search: this.search_.value,
    };
  }

  private async run(): Promise<void> {
    if (this.running_) return;
    fill(this.says_);
    fill(this.found_);
    this.chart_.clear();
    const search = new PruneSearch(this.api_, this.wait_, (progress) => this.follow(progress));
    this.set_running(search);
    try {
      this.end(await search.run(this.body()));
    } catch (error) {
      fill(this.says_, error_element(error));
      this.stage_.textContent = "";
    }
    this.set_running(null);
  }

  private async cancel(): Promise<void> {
    try {
      await this.running_?.cancel();
    } catch (error) {
      fill(this.says_, error_element(error));
    }
  }

  private set_running(search: PruneSearch | null): void {
    this.running_ = search;
    this.begin_.disabled = search !== null;
    this.cancel_.hidden = this.bar_.hidden = search === null;
    this.bar_.removeAttribute("value");
    if (search) this.stage_.textContent = "Searching …";
  }

  private follow({stage, done, of}: PruneProgress): void {
    this.stage_.textContent = `${stage}: ${counted(done, "network")}${of == null ? "" : ` of ${of}`}`;
    if (of == null) return this.bar_.removeAttribute("value");
    this.bar_.max = of;
    this.bar_.value = done;
  }

  private end(end: PruneEnd): void {
    this.stage_.textContent = end.state === "cancelled" ? "Cancelled." : "";
    if (end.state === "failed") fill(this.says_, problem_element(end.problem));
    if (end.state === "done") this.show(end.result);
  }

  private show(result: PruneResult): void {
    const {original, pruned} = result;
    const by =
      pruned.energy_j == null || original.energy_j == null
        ? null
        : change(pruned.energy_j, original.energy_j);
    const fact = (name: string, value: string, ...notes: (Node | string | null)[]) =>
      element(
        "div",
        {},
        element("dt", {}, name),
        element("dd", {}, value),
        element("dd", {class: "note"}, ...notes),
      );
    fill(
      this.found_,
      element(
        "section",
        {class: "panel found"},
        element("h2", {}, "Found ", badge({source: result.source, estimated: true})),
        element(
          "dl",
          {class: "facts"},
          fact(
            "energy per iteration",
            pruned.energy_j == null ? "unknown" : with_unit(pruned.energy_j, "J"),
            by === null ? null : change_text(by),
          ),
          fact(
            "upper bound",
            pruned.upper_j == null ? "unknown" : with_unit(pruned.upper_j, "J"),
            `holds with ${percent(result.confidence, 0)}; the budget is ${with_unit(result.budget_j, "J")}`,
          ),
          fact(
            "time per iteration",
            pruned.time_s == null ? "unknown" : with_unit(pruned.time_s, "s"),
            original.time_s == null ? null : `the original ${with_unit(original.time_s, "s")}`,
          ),
        ),
        element(
          "p",
          {class: "soft"},
          result.judged
            ? `${counted(result.judged, "network")} judged by estimate alone; nothing was measured.`
            : "Judged by estimate alone; nothing was measured.",
        ),
        ...(result.warnings ?? []).map((text) => element("p", {class: "notice"}, text)),
        button("Set the sliders to these widths", "set the sliders to the widths found", () =>
          this.set_widths_(new Map(pruned.widths.map(({name, value}) => [name, value]))),
        ),
      ),
    );
    this.chart_.show(
      prune_widths({original: widths_of(original), pruned: widths_of(pruned)}, "widths"),
    );
  }
}
