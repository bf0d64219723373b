// Asks for the token of the server. It is kept until the tab is closed, and sent nowhere else.
import {button, element} from "../page/dom";
import type {TokenSource} from "./api";

const kKey = "ampere-token";

export class TokenDialog implements TokenSource {
  private readonly field_ = element("input", {
    type: "password",
    id: "token",
    autocomplete: "off",
    required: "",
  });
  private readonly says_ = element("p", {class: "soft"});
  private readonly dialog_ = element("dialog", {class: "token", "aria-labelledby": "token-title"});
  private asking_: Promise<boolean> | null = null;

  constructor() {
    const form = element(
      "form",
      {method: "dialog"},
      element("h2", {id: "token-title"}, "This server asks for a token"),
      this.says_,
      element("label", {for: "token"}, "Token"),
      this.field_,
      element(
        "div",
        {class: "buttons"},
        element("button", {type: "submit", class: "main"}, "Continue"),
        button("Not now", "continue without a token", () => this.dialog_.close()),
      ),
    );
    form.addEventListener("submit", () => {
      sessionStorage.setItem(kKey, this.field_.value.trim());
      this.dialog_.returnValue = "given";
    });
    this.dialog_.append(form);
    document.body.append(this.dialog_);
  }

  token(): string | null {
    return sessionStorage.getItem(kKey);
  }

  /** All requests that wait for a token wait for the same answer. */
  ask(refused: string | null): Promise<boolean> {
    this.asking_ ??= this.show(refused).finally(() => (this.asking_ = null));
    return this.asking_;
  }

  private show(refused: string | null): Promise<boolean> {
    this.says_.textContent =
      refused === null
        ? "It is in the file that the server was started with (--token-file). It stays in this tab."
        : "The server did not accept that token. It is in the file that the server was started with (--token-file).";
    this.field_.value = "";
    const before = this.token();
    this.dialog_.showModal();
    return new Promise((resolve) =>
      this.dialog_.addEventListener("close", () => resolve(this.token() !== before), {once: true}),
    );
  }
}
