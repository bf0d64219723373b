import {counted, percent, signed_percent, with_unit} from "../base/format";
import type {Table} from "../chart/table";
import {found_as} from "../data/origin";
import type {FleetContent, FleetJob} from "../data/payload";
import {agreement} from "../figures/agreement";
import {fleet_power} from "../figures/fleet_power";
import {fleet_timeline} from "../figures/fleet_timeline";
import type {Fact, ReportDocument, Section} from "./document";

function total(jobs: readonly FleetJob[], value: (job: FleetJob) => number): number {
  return jobs.reduce((sum, job) => sum + value(job), 0);
}

/** Those whose whole energy was read from a meter, to their end. */
function comparable(jobs: readonly FleetJob[]): FleetJob[] {
  return jobs.filter((job) => job.state === "finished" && job.source && job.assumed_j === 0);
}

/** What the energies of the jobs are: "simulated", say; of several sources, only reported. */
function found_word({sources}: FleetContent): string {
  return sources.length === 1 ? sources[0]! : "reported";
}

function facts_of({jobs}: FleetContent): Fact[] {
  const finished = jobs.filter((job) => job.state === "finished");
  const compared = comparable(jobs);
  const predicted = total(compared, (job) => job.estimated_j.mean);
  const found = total(compared, (job) => job.spent_j);
  const assumed = total(jobs, (job) => job.assumed_j);
  return [
    {label: "jobs finished", value: `${finished.length} of ${jobs.length}`},
    {
      label: "energy",
      value: with_unit(
        total(jobs, (job) => job.spent_j),
        "J",
      ),
      note:
        assumed > 0
          ? `${with_unit(assumed, "J")} of it is assumed: attempts that died count with all that they had drawn`
          : undefined,
    },
    ...(predicted > 0
      ? [
          {
            label: "against the prediction",
            value: signed_percent(found / predicted - 1),
            note: `of ${counted(compared.length, "job")}`,
          },
        ]
      : []),
  ];
}

function notes_of({jobs}: FleetContent): string[] {
  return jobs
    .filter((job) => job.state !== "finished")
    .map((job) => `${job.name}: ${job.state}${job.reason ? `: ${job.reason}` : ""}`);
}

function accounts_table({accounts}: FleetContent): Table {
  const joules = (value: number) => with_unit(value, "J", 6);
  return {
    columns: [
      {title: "account"},
      {title: "granted", format: joules},
      {title: "reserved", format: joules},
      {title: "spent", format: joules},
      {title: "share spent", format: (v) => percent(v)},
    ],
    rows: accounts.map((account) => [
      account.name,
      account.granted_j,
      account.reserved_j,
      account.spent_j,
      account.granted_j > 0 ? account.spent_j / account.granted_j : null,
    ]),
  };
}

function agreement_section(content: FleetContent): Section[] {
  const compared = comparable(content.jobs);
  if (compared.length === 0) return [];
  const kinds = [...new Set(compared.map((job) => job.kind))];
  const found = found_word(content);
  return [
    {
      id: "predicted",
      title: `Predicted and ${found}`,
      text:
        "Each job was estimated before it was submitted. A job also builds its network and waits " +
        "for the meter, which the prediction does not contain and the reservation does.",
      figures: [
        agreement(
          kinds.map((kind) => ({
            title: kind,
            pairs: compared
              .filter((job) => job.kind === kind)
              .map((job) => ({
                name: job.name,
                measured: job.spent_j,
                predicted: job.estimated_j.mean,
              })),
          })),
          {
            name: "predicted-measured",
            title: "Energy of each job",
            of_what: "Energy",
            unit: "J",
            found,
          },
        ),
      ],
    },
  ];
}

export function fleet_document(content: FleetContent): ReportDocument {
  const kinds = [...new Set(content.jobs.map((job) => job.kind))];
  return {
    lead: `What the jobs of ${content.list} did, where and when, and what they cost.`,
    device: {name: kinds.join(", ")},
    origins: found_as(content.sources),
    choices: [],
    sections: () => [
      {
        id: "jobs",
        title: "The jobs",
        facts: facts_of(content),
        notes: notes_of(content),
        figures: [fleet_timeline(content.jobs), fleet_power(content)],
      },
      ...agreement_section(content),
      ...(content.accounts.length > 0
        ? [
            {
              id: "budget",
              title: "Budget",
              text: "Energy that was granted to the accounts of these jobs, also for other jobs.",
              figures: [],
              tables: [{title: "Accounts", table: accounts_table(content)}],
            },
          ]
        : []),
    ],
  };
}
