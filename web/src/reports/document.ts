import type {Figure} from "../chart/figure";
import type {Table} from "../chart/table";
import type {Device, EnergyOrigin, Setup} from "../data/payload";

/** A number that is worth large type. */
export interface Fact {
  readonly label: string;
  readonly value: string;
  readonly note?: string;
}

/** Something of a page that is neither a figure nor a fact; it only exists in a browser. */
export interface Panel {
  readonly title: string;
  build(): HTMLElement;
}

export interface Section {
  readonly id: string;
  readonly title: string;
  readonly text?: string;
  readonly facts?: readonly Fact[];
  readonly notes?: readonly string[];
  readonly figures: readonly Figure[];
  readonly tables?: readonly {readonly title: string; readonly table: Table}[];
  readonly panels?: readonly Panel[];
}

/** One choice that changes which series are drawn. */
export interface Choice {
  readonly value: string;
  readonly title: string;
  readonly chosen: boolean;
}

/** A report as a value: the page lays it out, and its figures go into files. */
export interface ReportDocument {
  readonly lead: string;
  readonly device: Device;
  /** Of its energies; several where several devices, or estimates and measurements, are shown together. */
  readonly origins: readonly EnergyOrigin[];
  readonly setup?: Setup;
  /** What a reader may choose to see, and the sections of a choice. */
  readonly choices: readonly Choice[];
  sections(chosen: readonly string[]): Section[];
}

export function all_figures(document: ReportDocument): Figure[] {
  const chosen = document.choices.filter((choice) => choice.chosen).map((choice) => choice.value);
  return document.sections(chosen).flatMap((section) => section.figures);
}
