import type {Payload} from "../data/payload";
import type {ReportDocument} from "../reports/document";
import {ChartCard} from "./chart_card";
import {element} from "./dom";
import {Drawing} from "./drawing";
import {MediumChoice} from "./medium";
import {choice_boxes, footer, header, navigation, section_frame} from "./shell";

/** Lays the report out under root, and anew whenever the reader chooses other series. */
export function show_page(root: HTMLElement, payload: Payload, report: ReportDocument): void {
  const medium = new MediumChoice();
  const main = element("main");
  const drawing = new Drawing(medium, root);
  const fill = (chosen: readonly string[]) => {
    const cards: ChartCard[] = [];
    const frames = report.sections(chosen).map((section) => {
      const [frame, place] = section_frame(section);
      for (const figure of section.figures) {
        const card = new ChartCard(figure);
        place.append(card.element);
        cards.push(card);
      }
      return frame;
    });
    main.replaceChildren(...frames);
    drawing.show(cards);
  };
  const chosen = report.choices.filter((choice) => choice.chosen).map((choice) => choice.value);
  const sections = report.sections(chosen);
  root.replaceChildren(
    header(payload, report, () => medium.toggle()),
    ...(sections.length > 1 ? [navigation(sections)] : []),
    ...(report.choices.length > 1 ? [choice_boxes(report.choices, fill)] : []),
    main,
    footer(payload),
  );
  fill(chosen);
}

/** Instead of a report that cannot be shown. */
export function show_problem(root: HTMLElement, problem: string): void {
  root.replaceChildren(
    element("p", {class: "notice", role: "alert"}, `This report cannot be shown: ${problem}`),
  );
}
