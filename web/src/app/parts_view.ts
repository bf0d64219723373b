// Where the energy goes, part by part.
import type {Estimate} from "../data/payload";
import {block_shares} from "../figures/block_shares";
import {element} from "../page/dom";
import type {MediumChoice} from "../page/medium";
import {LiveChart} from "./charts";
import type {View} from "./view";

export class PartsView implements View {
  readonly id = "parts";
  readonly title = "Parts";
  readonly of_network = true;
  readonly element = element("div");
  private readonly chart_: LiveChart;
  private readonly says_ = element("p", {class: "soft"});

  constructor(medium: MediumChoice) {
    this.chart_ = new LiveChart(medium);
    this.element.append(this.says_, this.chart_.element);
  }

  open(): void {}
  close(): void {}

  show(estimate: Estimate | null): void {
    const covered = estimate?.parts.some((part) => part.energy_j_per_iteration) ?? false;
    this.says_.textContent =
      covered || !estimate ? "" : "Unknown: the profile covers no part of this network.";
    if (estimate && covered) this.chart_.show(block_shares(estimate, "shares"));
    else this.chart_.clear();
  }
}
