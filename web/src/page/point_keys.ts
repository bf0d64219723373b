import type {EChartsOption} from "echarts";

import type {Chart} from "../chart/engine";

interface Place {
  readonly seriesIndex: number;
  readonly dataIndex: number;
  readonly tip: string;
}

function places(option: EChartsOption): Place[] {
  const series = (option.series ?? []) as readonly {data?: readonly unknown[]}[];
  return series.flatMap(({data}, seriesIndex) =>
    (data ?? []).flatMap((item, dataIndex) => {
      const tip = (item as {tip?: unknown} | null)?.tip;
      return typeof tip === "string" && tip.includes("\n") ? [{seriesIndex, dataIndex, tip}] : [];
    }),
  );
}

/** Arrow keys go from point to point, each is said aloud; Escape leaves. */
export class PointKeys {
  private places_: Place[] = [];
  private at_ = -1;

  constructor(
    private readonly chart_: Chart,
    target: HTMLElement,
    private readonly spoken_: HTMLElement,
  ) {
    target.addEventListener("keydown", (event) => this.key(event));
    target.addEventListener("blur", () => this.leave());
  }

  /** How many points there are to go through. */
  show(option: EChartsOption): number {
    this.places_ = places(option);
    this.at_ = -1;
    return this.places_.length;
  }

  private key(event: KeyboardEvent): void {
    const last = this.places_.length - 1;
    const next: Readonly<Record<string, number>> = {
      ArrowRight: Math.min(this.at_ + 1, last),
      ArrowLeft: Math.max(this.at_ - 1, 0),
      Home: 0,
      End: last,
    };
    const to = next[event.key];
    if (event.key === "Escape") this.leave();
    if (to === undefined || last < 0) return;
    event.preventDefault();
    this.go(to);
  }

  private go(to: number): void {
    this.at_ = to;
    const place = this.places_[to];
    if (!place) return;
    this.chart_.dispatchAction({
      type: "showTip",
      seriesIndex: place.seriesIndex,
      dataIndex: place.dataIndex,
    });
    this.spoken_.textContent = place.tip.replace(/\n/g, ": ");
  }

  private leave(): void {
    this.at_ = -1;
    this.chart_.dispatchAction({type: "hideTip"});
    this.spoken_.textContent = "";
  }
}
