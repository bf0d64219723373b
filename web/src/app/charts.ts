// ECharts is in report.js, which the page loads first: the program carries it once.
import type {Figure} from "../chart/figure";
import type {ChartCard as Card} from "../page/chart_card";
import type {MediumChoice} from "../page/medium";

declare const ampere_report: {readonly ChartCard: typeof Card};

/** A place for one figure that changes with every answer; it draws itself when it can be seen. */
export class LiveChart {
  readonly element: HTMLElement;
  private card_: Card | null = null;
  private drawing_ = false;

  constructor(private readonly medium_: MediumChoice) {
    this.element = document.createElement("div");
    this.element.className = "live-chart";
    medium_.on_change(() => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  show(figure: Figure): void {
    if (this.card_) {
      this.card_.show(figure);
    } else {
      this.card_ = new ampere_report.ChartCard(figure);
      this.element.replaceChildren(this.card_.element);
    }
    this.draw();
  }

  clear(): void {
    this.card_?.dispose();
    this.card_ = null;
    this.element.replaceChildren();
  }

  // Once per frame, however many answers and sizes there are in it.
  private draw(): void {
    if (this.drawing_) return;
    this.drawing_ = true;
    requestAnimationFrame(() => {
      this.drawing_ = false;
      this.card_?.draw(this.medium_.medium);
    });
  }
}
