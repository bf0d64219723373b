import {signed_percent} from "../base/format";
import {element} from "./dom";

/** How a number compares with that of the original network; less is better. */
export function change_text(by: number): HTMLElement {
  if (Math.abs(by) < 5e-4) return element("span", {class: "soft"}, "as the original");
  const text = `${signed_percent(by)} against the original`;
  return element("span", {class: by < 0 ? "change less" : "change more"}, text);
}
