// Which view is seen: the fragment of the address, so that back, forward and bookmarks work.
import {element} from "../page/dom";
import type {View} from "./view";

export class Tabs {
  readonly bar: HTMLElement;
  readonly place = element("div", {class: "view", id: "view"});
  private readonly links_ = new Map<string, HTMLAnchorElement>();
  private now_: View | null = null;

  constructor(
    private readonly views_: readonly View[],
    private readonly changed_: (view: View) => void,
  ) {
    const list = element("ul");
    for (const view of views_) {
      const link = element("a", {href: `#${view.id}`}, view.title);
      this.links_.set(view.id, link);
      list.append(element("li", {}, link));
      view.element.setAttribute("data-view", view.id);
    }
    this.bar = element("nav", {"aria-label": "views", class: "tabs"}, list);
    addEventListener("hashchange", () => this.follow());
  }

  go(id: string): void {
    location.hash = id;
  }

  /** Shows what the address names, or the first. */
  follow(): void {
    const view = this.views_.find(({id}) => `#${id}` === location.hash) ?? this.views_[0]!;
    if (view === this.now_) return;
    this.now_?.close();
    this.now_ = view;
    for (const [id, link] of this.links_)
      if (id === view.id) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    this.place.replaceChildren(view.element);
    this.changed_(view);
    view.open();
  }

  /** Loads anew what is seen. */
  reopen(): void {
    this.now_?.close();
    this.now_?.open();
  }
}
