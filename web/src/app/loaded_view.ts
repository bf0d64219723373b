// A view that loads something each time it is opened.
import {element} from "../page/dom";
import {fill} from "./fields";
import {error_element} from "./problem_view";
import type {View} from "./view";

export abstract class LoadedView implements View {
  abstract readonly id: string;
  abstract readonly title: string;
  readonly of_network = false;
  readonly element = element("div");
  protected readonly place_ = element("div");
  protected readonly says_ = element("div", {class: "says"});

  protected constructor() {
    this.element.append(this.says_, this.place_);
  }

  open(): void {
    void this.attempt(async () => {
      this.element.setAttribute("aria-busy", "true");
      await this.load();
    }).finally(() => this.element.removeAttribute("aria-busy"));
  }

  close(): void {}

  /** Does something, and says here why it could not be done. */
  protected async attempt(what: () => Promise<void>): Promise<void> {
    try {
      await what();
      fill(this.says_);
    } catch (error) {
      fill(this.says_, error_element(error));
    }
  }

  protected abstract load(): Promise<void>;
}
