// What went wrong, next to what caused it, and what helps.
import {element} from "../page/dom";
import {Refused, Unreachable} from "./api";
import type {Problem} from "./answers";

// The words of the library for what would help, as one does it.
const kRemedies: Readonly<Record<string, (about: string) => string>> = {
  profile: (about) => `ampere profile MODEL${about ? ` --method ${about}` : ""}`,
  general_profile: () => "ampere profile --general",
  survey: (about) => `ampere kernels measure${about ? ` --rig ${about}` : ""}`,
  survey_or_import: () => "ampere kernels measure, or ampere kernels import",
  survey_or_fit: () => "ampere kernels measure, or ampere kernels fit",
  fit_kernels: (about) => `ampere kernels fit${about ? ` --predictor ${about}` : ""}`,
  run_networks: () => "ampere run MODEL",
  evaluate: () => "ampere evaluate FAMILY",
};

export function remedy_text(problem: Problem): string | null {
  return kRemedies[problem.remedy ?? ""]?.(problem.about ?? "") ?? null;
}

export function problem_element(problem: Problem): HTMLElement {
  const remedy = remedy_text(problem);
  return element(
    "div",
    {class: "problem", role: "alert"},
    element("p", {}, problem.detail),
    remedy ? element("p", {}, "What helps: ", element("code", {}, remedy)) : null,
  );
}

/** Null where the banner already says that the server does not answer. */
export function error_element(error: unknown): HTMLElement | null {
  if (error instanceof Unreachable) return null;
  if (error instanceof Refused) return problem_element(error.problem);
  const detail = error instanceof Error ? error.message : String(error);
  return problem_element({title: "Error", status: 0, detail});
}
