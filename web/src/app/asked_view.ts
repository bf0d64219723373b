// A view that asks the server whenever the question changes, as long as it can be seen.
import {element} from "../page/dom";
import {fill} from "./fields";
import {Latest} from "./latest";
import {error_element} from "./problem_view";
import type {Question} from "./question";
import type {View} from "./view";

export abstract class AskedView<Answer> implements View {
  abstract readonly id: string;
  abstract readonly title: string;
  readonly of_network = true;
  readonly element = element("div");
  protected readonly says_ = element("div", {class: "says"});
  private readonly latest_: Latest<Answer>;
  private open_ = false;
  private stale_ = true;

  protected constructor(protected readonly question_: Question) {
    this.latest_ = new Latest<Answer>((signal) => this.ask(signal), {
      busy: () => this.element.setAttribute("aria-busy", "true"),
      answer: (answer) => {
        this.element.removeAttribute("aria-busy");
        fill(this.says_);
        this.show(answer);
      },
      problem: (error) => {
        this.element.removeAttribute("aria-busy");
        this.stale_ = true;
        const says = error_element(error);
        if (!says) return; // the last answer stays, and the banner says so
        this.clear();
        fill(this.says_, says);
      },
    });
    question_.on_change(() => {
      this.stale_ = true;
      if (this.open_) this.refresh();
    });
  }

  open(): void {
    this.open_ = true;
    this.refresh();
  }

  close(): void {
    this.open_ = false;
  }

  private refresh(): void {
    if (!this.stale_ || !this.question_.network()) return;
    this.stale_ = false;
    this.latest_.ask();
  }

  protected abstract ask(signal: AbortSignal): Promise<Answer>;
  protected abstract show(answer: Answer): void;
  protected abstract clear(): void;
}
