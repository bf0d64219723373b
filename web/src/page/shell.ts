// The page around the figures: what it is about, of which device, and the way through it.
import {origin_sentence, origin_text, origin_word} from "../data/origin";
import type {Device, EnergyOrigin, Payload, Setup} from "../data/payload";
import type {Choice, Fact, ReportDocument, Section} from "../reports/document";
import {button, element} from "./dom";
import {table_details} from "./table_view";

export function badge(origin: EnergyOrigin): HTMLElement {
  const look = origin.estimated ? `estimated ${origin.source}` : origin.source;
  return element(
    "span",
    {class: `badge ${look}`, title: origin_text(origin)},
    origin_word(origin),
  );
}

function device_facts(
  device: Device,
  setup: Setup | undefined,
  origins: readonly EnergyOrigin[],
): HTMLElement {
  const list = element("dl", {class: "device"});
  const add = (name: string, value: string | Node | undefined) => {
    if (value) list.append(element("div", {}, element("dt", {}, name), element("dd", {}, value)));
  };
  add("Device", device.name);
  add("Hardware", device.hardware);
  add("Meter", device.meter);
  add("Energy", origins.map(origin_sentence).join(" "));
  add(
    "Software",
    [device.framework, device.driver && `driver ${device.driver}`].filter(Boolean).join(", "),
  );
  add("Training", setup && `batch ${setup.batch}, ${setup.optimizer}, ${setup.precision}`);
  return list;
}

export function header(
  payload: Payload,
  document: ReportDocument,
  toggle: () => void,
): HTMLElement {
  return element(
    "header",
    {class: "top"},
    element(
      "div",
      {class: "head"},
      element(
        "div",
        {},
        element(
          "h1",
          {},
          payload.title,
          ...document.origins.flatMap((origin) => [" ", badge(origin)]),
        ),
        element("p", {class: "lead"}, document.lead),
      ),
      button("Light or dark", "change between light and dark", toggle),
    ),
    device_facts(document.device, document.setup, document.origins),
  );
}

export function footer(payload: Payload): HTMLElement {
  return element(
    "footer",
    {},
    element("p", {}, `Made ${payload.made_at} by ${payload.version}`),
    element("p", {}, element("code", {}, payload.command)),
    element("p", {}, "All data is in this file; it loads nothing from the network."),
  );
}

export function navigation(sections: readonly Section[]): HTMLElement {
  const list = element("ul");
  for (const section of sections) {
    const link = element("a", {href: `#${section.id}`}, section.title);
    // In a frame without an address of its own, a fragment would be one of the page around it.
    link.addEventListener("click", (event) => {
      if (location.protocol !== "about:") return;
      event.preventDefault();
      document.getElementById(section.id)?.scrollIntoView();
    });
    list.append(element("li", {}, link));
  }
  return element("nav", {"aria-label": "sections"}, list);
}

/** Check boxes, one at least stays checked. */
export function choice_boxes(
  choices: readonly Choice[],
  change: (chosen: string[]) => void,
): HTMLElement {
  const boxes = choices.map((choice) => {
    const box = element("input", {type: "checkbox", value: choice.value});
    box.checked = choice.chosen;
    return box;
  });
  const field = element("fieldset", {class: "choices"}, element("legend", {}, "Methods shown"));
  boxes.forEach((box, i) => {
    field.append(element("label", {}, box, choices[i]!.title));
    box.addEventListener("change", () => {
      const chosen = boxes.filter((each) => each.checked).map((each) => each.value);
      if (chosen.length === 0) box.checked = true;
      else change(chosen);
    });
  });
  return field;
}

function fact_list(facts: readonly Fact[]): HTMLElement {
  const list = element("dl", {class: "facts"});
  for (const fact of facts)
    list.append(
      element(
        "div",
        {},
        element("dt", {}, fact.label),
        element("dd", {}, fact.value),
        fact.note ? element("dd", {class: "note"}, fact.note) : null,
      ),
    );
  return list;
}

/** A section without its figures, and the place for them. */
export function section_frame(section: Section): [HTMLElement, HTMLElement] {
  const cards = element("div", {class: "cards"});
  const frame = element(
    "section",
    {id: section.id, "aria-labelledby": `${section.id}-title`},
    element("h2", {id: `${section.id}-title`}, section.title),
    section.text ? element("p", {class: "text"}, section.text) : null,
    section.facts?.length ? fact_list(section.facts) : null,
  );
  for (const note of section.notes ?? []) frame.append(element("p", {class: "notice"}, note));
  for (const panel of section.panels ?? []) frame.append(panel.build());
  frame.append(cards);
  for (const {title, table} of section.tables ?? [])
    frame.append(
      element("h3", {}, title),
      table_details(
        table,
        title,
        `${section.id}-${title}`.toLowerCase().replace(/[^a-z0-9]+/g, "-"),
      ),
    );
  return [frame, cards];
}
