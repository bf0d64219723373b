import type {EChartsOption, TitleComponentOption} from "echarts";

import type {Look} from "./look";

function tip_of(params: unknown): string {
  const data = (params as {data?: {tip?: unknown}}).data;
  return typeof data?.tip === "string" ? data.tip : "";
}

// An element, not a text: names of models and layers are other people's, and never read as markup.
function tip_element(params: unknown): HTMLElement | string {
  const text = tip_of(params);
  if (text === "" || typeof document === "undefined") return "";
  const element = document.createElement("div");
  element.className = "tip";
  element.textContent = text;
  return element;
}

/** What the panels of a figure share, above them all. */
export function panel_note(look: Look, text: string): TitleComponentOption {
  const title = small_title(look, text, 0, 3);
  return {...title, textStyle: {...title.textStyle, color: look.soft, fontWeight: "normal"}};
}

/** Of a line across at a value: ECharts would round the value to two decimals. */
export const kEveryDigit = 12;

/** What every figure's option begins with. */
export function base_option(look: Look, finding: string): EChartsOption {
  return {
    animation: false,
    backgroundColor: look.medium === "print" ? look.paper : "transparent",
    textStyle: {fontFamily: look.font, fontSize: look.size, color: look.ink},
    aria: {enabled: true, label: {description: finding}},
    tooltip: {
      trigger: "item",
      confine: true,
      transitionDuration: 0,
      backgroundColor: look.paper,
      borderColor: look.soft,
      textStyle: {color: look.ink, fontSize: 13, fontFamily: look.font},
      formatter: tip_element as never,
    },
  };
}

export function small_title(
  look: Look,
  text: string,
  left: number,
  top: number,
): TitleComponentOption {
  return {
    text,
    left,
    top,
    padding: 0,
    textStyle: {color: look.ink, fontSize: look.size, fontWeight: "bold", fontFamily: look.font},
  };
}
