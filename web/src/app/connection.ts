// Whether the server answers. When it does not, this asks until it does, and then says so.
import {element} from "../page/dom";

const kAgain = 1000; // ms between tries

export class Connection {
  readonly banner = element("div", {class: "banner", role: "status", "aria-live": "assertive"});
  private lost_ = false;
  private readonly listeners_: (() => void)[] = [];
  private waiting_: (() => void)[] = [];

  /** Called when the server answers again. */
  on_return(listener: () => void): void {
    this.listeners_.push(listener);
  }

  /** Until the server answers; at once where it does. */
  wait(): Promise<void> {
    if (!this.lost_) return Promise.resolve();
    return new Promise((resolve) => this.waiting_.push(resolve));
  }

  /** A request was not answered. */
  report_lost(): void {
    if (this.lost_) return;
    this.lost_ = true;
    document.documentElement.dataset["server"] = "lost";
    this.banner.replaceChildren(
      element("strong", {}, "The server does not answer."),
      " What is shown is its last answer. Trying again every second…",
    );
    setTimeout(() => void this.try_again(), kAgain);
  }

  private async try_again(): Promise<void> {
    try {
      const answer = await fetch("/healthz", {cache: "no-store", signal: AbortSignal.timeout(5000)});
      if (answer.ok) return this.returned();
    } catch {
      // It is still away.
    }
    setTimeout(() => void this.try_again(), kAgain);
  }

  private returned(): void {
    this.lost_ = false;
    delete document.documentElement.dataset["server"];
    this.banner.replaceChildren();
    for (const listener of [...this.listeners_, ...this.waiting_.splice(0)]) listener();
  }
}
