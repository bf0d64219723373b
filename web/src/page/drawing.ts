import type {ChartCard} from "./chart_card";
import type {MediumChoice} from "./medium";

/** Draws what is in sight at once, and the rest when there is time: the page never stands still. */
export class Drawing {
  private cards_: readonly ChartCard[] = [];
  private round_ = 0;
  private readonly sight_: IntersectionObserver;

  constructor(
    private readonly medium_: MediumChoice,
    frame: HTMLElement,
  ) {
    medium_.on_change(() => (medium_.medium === "print" ? this.all() : this.in_turn()));
    this.sight_ = new IntersectionObserver(
      (seen) => {
        for (const {target, isIntersecting} of seen)
          if (isIntersecting)
            this.cards_.find((card) => card.element === target)?.draw(medium_.medium);
      },
      {rootMargin: "300px"},
    );
    let width = frame.clientWidth;
    new ResizeObserver(() => {
      if (frame.clientWidth === width) return;
      width = frame.clientWidth;
      this.in_turn();
    }).observe(frame);
  }

  show(cards: readonly ChartCard[]): void {
    for (const card of this.cards_) card.dispose();
    this.sight_.disconnect();
    this.cards_ = cards;
    for (const card of cards) this.sight_.observe(card.element);
    this.in_turn();
  }

  private all(): void {
    ++this.round_;
    for (const card of this.cards_) card.draw(this.medium_.medium);
  }

  private in_turn(): void {
    const round = ++this.round_;
    const next = (i: number) => {
      if (round !== this.round_) return;
      const card = this.cards_[i];
      if (!card) {
        document.documentElement.dataset["drawn"] = String(i);
        return;
      }
      card.draw(this.medium_.medium);
      setTimeout(() => next(i + 1));
    };
    delete document.documentElement.dataset["drawn"];
    next(0);
  }
}
