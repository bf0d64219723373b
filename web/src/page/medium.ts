import type {Medium} from "../chart/palette";

/** Follows the system until the reader chooses, and paper while it is printed. */
export class MediumChoice {
  private chosen_: "light" | "dark" | null = null;
  private printing_ = false;
  private readonly listeners_: (() => void)[] = [];

  constructor() {
    const on_paper = matchMedia("print");
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.changed());
    on_paper.addEventListener("change", () => this.print(on_paper.matches));
    addEventListener("beforeprint", () => this.print(true));
    addEventListener("afterprint", () => this.print(false));
  }

  get medium(): Medium {
    return this.printing_ ? "print" : this.screen();
  }

  /** The other of light and dark. */
  toggle(): void {
    this.chosen_ = this.screen() === "dark" ? "light" : "dark";
    document.documentElement.dataset["theme"] = this.chosen_;
    this.changed();
  }

  on_change(listener: () => void): void {
    this.listeners_.push(listener);
  }

  private screen(): "light" | "dark" {
    return this.chosen_ ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  }

  private print(printing: boolean): void {
    if (this.printing_ === printing) return;
    this.printing_ = printing;
    this.changed();
  }

  private changed(): void {
    for (const listener of this.listeners_) listener();
  }
}
