// ampere_report: what the page calls when it is opened, and what the program calls for figures.
import "./base/bare";
import {full_title} from "./chart/figure";
import {print_svg} from "./chart/print";
import type {
  ChooseContent,
  EstimateContent,
  EvaluateContent,
  FleetContent,
  GenerationContent,
  Payload,
  ProfileContent,
  PruneContent,
} from "./data/payload";
import {show_page, show_problem} from "./page/page";
import {stored_payload} from "./page/stored";
import {choose_document} from "./reports/choose";
import {all_figures, type ReportDocument} from "./reports/document";
import {estimate_document} from "./reports/estimate";
import {evaluate_document} from "./reports/evaluate";
import {fleet_document} from "./reports/fleet";
import {generation_document} from "./reports/generation";
import {profile_document} from "./reports/profile";
import {prune_document} from "./reports/prune";

// The page of `ampere serve` loads this script first and draws with its cards: one copy of ECharts serves both.
export {ChartCard} from "./page/chart_card";
export {what_if} from "./what_if/what_if";

function document_of(payload: Payload): ReportDocument {
  switch (payload.report) {
    case "choose":
      return choose_document(payload.content as ChooseContent);
    case "evaluate":
      return evaluate_document(payload.content as EvaluateContent);
    case "estimate":
      return estimate_document(payload.content as EstimateContent);
    case "fleet":
      return fleet_document(payload.content as FleetContent);
    case "generation":
      return generation_document(payload.content as GenerationContent);
    case "profile":
      return profile_document(payload.content as ProfileContent);
    case "prune":
      return prune_document(payload.content as PruneContent);
    default:
      throw new Error(`there is no report of ${String(payload.report)}.`);
  }
}

function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Shows a report in the page. */
export function open(payload: Payload): void {
  const root = document.getElementById("report");
  if (!root) return;
  try {
    show_page(root, payload, document_of(payload));
  } catch (error) {
    show_problem(root, message(error));
    throw error;
  }
}

/** Every figure as SVG; needs no browser. */
export function figures(payload_text: string): string {
  const report = document_of(JSON.parse(payload_text) as Payload);
  return JSON.stringify(
    all_figures(report).map((figure) => ({
      name: figure.name,
      title: full_title(figure),
      svg: print_svg(figure),
    })),
  );
}

if (typeof document !== "undefined" && document.getElementById("report"))
  stored_payload().then(open, (error: unknown) =>
    show_problem(document.getElementById("report")!, message(error)),
  );
