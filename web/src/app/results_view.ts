// What was evaluated, and the jobs of the fleet, where there are any.
import {element} from "../page/dom";
import {table_element} from "../page/table_view";
import {Refused, type Api} from "./api";
import {fill} from "./fields";
import {LoadedView} from "./loaded_view";
import {table_of, type Row} from "./row_table";

function section(title: string, content: HTMLElement): HTMLElement {
  return element("section", {class: "panel"}, element("h2", {}, title), content);
}

function rows_section(title: string, rows: readonly Row[], none: string): HTMLElement {
  if (rows.length === 0) return section(title, element("p", {class: "soft"}, none));
  return section(title, table_element(table_of(rows), title));
}

export class ResultsView extends LoadedView {
  readonly id = "results";
  readonly title = "Results";

  constructor(private readonly api_: Api) {
    super();
    this.place_.className = "stack";
  }

  protected async load(): Promise<void> {
    const [{evaluations}, jobs] = await Promise.all([
      this.api_.get<{evaluations: Row[]}>("/v1/evaluations"),
      this.jobs(),
    ]);
    fill(
      this.place_,
      rows_section(
        "Evaluations",
        evaluations,
        "Nothing was evaluated yet: ampere evaluate FAMILY compares estimates with measurements.",
      ),
      typeof jobs === "string"
        ? section("Fleet jobs", element("p", {class: "soft"}, jobs))
        : rows_section("Fleet jobs", jobs, "The fleet has no jobs."),
    );
  }

  /** The jobs, or why there are none. */
  private async jobs(): Promise<readonly Row[] | string> {
    try {
      return (await this.api_.get<{jobs: Row[]}>("/v1/jobs")).jobs;
    } catch (error) {
      if (error instanceof Refused && error.problem.status === 404) return error.problem.detail;
      throw error;
    }
  }
}
