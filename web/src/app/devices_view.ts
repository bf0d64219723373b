// The same training on every device there is a profile of.
import {devices, type DeviceCost} from "../figures/devices";
import {button, element} from "../page/dom";
import type {MediumChoice} from "../page/medium";
import type {Api} from "./api";
import {AskedView} from "./asked_view";
import type {Comparison} from "./answers";
import {LiveChart} from "./charts";
import {fill} from "./fields";
import {problem_element} from "./problem_view";
import {profile_title, source_of} from "./profile_text";
import type {Question} from "./question";

interface Comparisons {
  readonly comparisons: readonly Comparison[];
}

function costs(comparisons: readonly Comparison[]): DeviceCost[] {
  return comparisons.flatMap(({profile, estimate}) =>
    estimate?.energy_j && estimate.time_s
      ? [
          {
            name: `${profile.device.name}, profile ${profile.id}`,
            source: estimate.source ?? source_of(profile) ?? "modelled",
            energy: estimate.energy_j,
            time: estimate.time_s,
          },
        ]
      : [],
  );
}

export class DevicesView extends AskedView<Comparisons> {
  readonly id = "devices";
  readonly title = "Devices";
  private readonly chart_: LiveChart;
  private readonly unknown_ = element("div", {class: "cards"});
  private readonly uses_ = element("div", {class: "buttons"});

  constructor(
    private readonly api_: Api,
    question: Question,
    medium: MediumChoice,
    private readonly use_: (profile: string) => void,
  ) {
    super(question);
    this.chart_ = new LiveChart(medium);
    this.element.append(this.says_, this.chart_.element, this.uses_, this.unknown_);
  }

  protected ask(signal: AbortSignal): Promise<Comparisons> {
    return this.api_.post("/v1/compare", this.question_.anywhere(), signal);
  }

  protected show({comparisons}: Comparisons): void {
    const known = costs(comparisons);
    if (known.length > 0) this.chart_.show(devices(known));
    else this.chart_.clear();
    const answered = comparisons.filter(({estimate}) => estimate?.energy_j);
    fill(
      this.uses_,
      answered.length > 0 ? element("span", {class: "soft"}, "Estimate with profile") : null,
      ...answered.map(({profile}) =>
        button(profile.id, `estimate with profile ${profile_title(profile)}`, () =>
          this.use_(profile.id),
        ),
      ),
    );
    fill(this.unknown_, ...comparisons.filter(({estimate}) => !estimate?.energy_j).map(unknown));
    if (comparisons.length === 0)
      fill(this.says_, element("p", {class: "soft"}, "There is no profile to compare."));
  }

  protected clear(): void {
    this.chart_.clear();
    fill(this.unknown_);
    fill(this.uses_);
  }
}

function unknown({profile, estimate, error}: Comparison): HTMLElement {
  const reason = estimate?.uncovered[0];
  return element(
    "div",
    {class: "card plain"},
    element("h3", {}, profile_title(profile)),
    element("p", {}, element("strong", {}, "unknown")),
    error
      ? problem_element(error)
      : element(
          "p",
          {class: "soft"},
          reason
            ? `Not covered: ${reason.layer}: ${reason.reason}`
            : "The profile does not cover all of the network.",
        ),
  );
}
