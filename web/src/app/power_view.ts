// What the meters of this machine read now.
import {with_unit} from "../base/format";
import {kPowerSeconds, live_power} from "../figures/live_power";
import {element} from "../page/dom";
import type {MediumChoice} from "../page/medium";
import {badge} from "../page/shell";
import type {Api} from "./api";
import type {PowerMeter} from "./answers";
import {LiveChart} from "./charts";
import {fill} from "./fields";
import {error_element} from "./problem_view";
import type {View} from "./view";

const kPeriod = 1000; // ms

interface Reading {
  readonly at: number; // s
  readonly powers: ReadonlyMap<string, number | null>;
}

export class PowerView implements View {
  readonly id = "power";
  readonly title = "Power";
  readonly of_network = false;
  readonly element = element("div");
  private readonly says_ = element("div", {class: "says"});
  private readonly tiles_ = element("div", {class: "tiles"});
  private readonly missing_ = element("div");
  private readonly chart_: LiveChart;
  private readings_: Reading[] = [];
  private timer_ = 0;
  private open_ = false;

  constructor(
    private readonly api_: Api,
    medium: MediumChoice,
  ) {
    this.chart_ = new LiveChart(medium);
    this.element.append(this.says_, this.tiles_, this.chart_.element, this.missing_);
    document.addEventListener("visibilitychange", () => {
      if (this.open_ && !document.hidden) this.open();
    });
  }

  open(): void {
    this.open_ = true;
    clearTimeout(this.timer_);
    void this.read();
  }

  close(): void {
    this.open_ = false;
    clearTimeout(this.timer_);
  }

  private async read(): Promise<void> {
    if (!this.open_ || document.hidden) return;
    try {
      const {meters} = await this.api_.get<{meters: PowerMeter[]}>("/v1/power");
      fill(this.says_);
      this.show(meters);
    } catch (error) {
      fill(this.says_, error_element(error));
    }
    clearTimeout(this.timer_);
    if (this.open_) this.timer_ = window.setTimeout(() => void this.read(), kPeriod);
  }

  private show(meters: readonly PowerMeter[]): void {
    const there = meters.filter(({available}) => available);
    fill(this.tiles_, ...there.flatMap(tiles));
    this.note(there);
    const missing = meters.filter(({available}) => !available);
    // An open list must not close every second.
    if (this.missing_.dataset["of"] === JSON.stringify(missing)) return;
    this.missing_.dataset["of"] = JSON.stringify(missing);
    fill(this.missing_, there.length === 0 ? no_meter() : null, missing_list(missing));
  }

  private note(meters: readonly PowerMeter[]): void {
    const at = performance.now() / 1000;
    const powers = new Map(
      meters.flatMap((meter) =>
        meter.domains.map((domain) => [`${meter.name} ${domain.name}`, domain.power_w] as const),
      ),
    );
    this.readings_ = [...this.readings_, {at, powers}].filter(
      (reading) => at - reading.at <= kPowerSeconds,
    );
    const known = [...powers.keys()].filter((name) =>
      this.readings_.some((reading) => reading.powers.get(name) != null),
    );
    if (known.length === 0) return this.chart_.clear();
    this.chart_.show(
      live_power(
        known.map((name) => ({
          name,
          points: this.readings_.map(
            (reading) => [at - reading.at, reading.powers.get(name) ?? null] as const,
          ),
        })),
      ),
    );
  }
}

function tiles(meter: PowerMeter): HTMLElement[] {
  return meter.domains.map((domain) =>
    element(
      "div",
      {class: "panel tile", "data-domain": `${meter.name} ${domain.name}`},
      element(
        "h3",
        {},
        `${meter.name}: ${domain.name} `,
        meter.source ? badge({source: meter.source, estimated: false}) : null,
      ),
      element(
        "p",
        {class: "value"},
        domain.power_w == null ? "unknown" : with_unit(domain.power_w, "W"),
      ),
      element(
        "p",
        {class: "soft"},
        domain.power_w == null
          ? "Power is known after the second reading."
          : domain.energy_j == null
            ? ""
            : `${with_unit(domain.energy_j, "J", 4)} counted so far`,
      ),
    ),
  );
}

function no_meter(): HTMLElement {
  return element(
    "p",
    {class: "notice"},
    "The power of this machine is unknown: none of its meters can be read.",
  );
}

function missing_list(missing: readonly PowerMeter[]): HTMLElement | null {
  if (missing.length === 0) return null;
  const list = element("dl", {class: "missing"});
  for (const {name, reason} of missing)
    list.append(element("dt", {}, name), element("dd", {}, reason ?? "It does not say why."));
  return element("section", {class: "panel"}, element("h3", {}, "Meters that cannot be read"), list);
}
