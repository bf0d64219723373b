// Figures without a browser: in an engine that has the language and nothing else.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import vm from "node:vm";

import { Reports } from "./reports.mjs";

let reports, bare;

before(() => {
  reports = Reports.open();
  bare = vm.createContext(Object.create(null));
  vm.runInContext(
    readFileSync(
      process.env.AMPERE_REPORT_JS ??
        new URL("../../web/dist/report.js", import.meta.url),
      "utf8",
    ),
    bare,
  );
});
after(() => reports.remove());

// Drawing them takes seconds, and several tests look at those of the same reports.
const drawn = new WeakMap();

function figures_of(payload) {
  if (!drawn.has(payload)) {
    bare.text = JSON.stringify(payload);
    drawn.set(
      payload,
      JSON.parse(vm.runInContext("ampere_report.figures(text)", bare)),
    );
  }
  return drawn.get(payload);
}

test("every report gives figures that are drawn to the end", () => {
  for (const { kind, payload } of reports.all) {
    const figures = figures_of(payload);
    assert.ok(figures.length > 0, kind);
    for (const { name, title, svg } of figures) {
      assert.match(name, /^[a-z0-9-]+$/);
      assert.ok(title.length > 0);
      assert.match(svg, /^<svg[^]*<\/svg>$/);
      assert.doesNotMatch(svg, /NaN|undefined|Infinity/, name);
    }
    assert.equal(
      new Set(figures.map(({ name }) => name)).size,
      figures.length,
      `${kind}: names are unique`,
    );
  }
});

test("the program writes the same figures into files", () => {
  for (const { kind, figures, payload } of reports.all) {
    const names = figures_of(payload)
      .map(({ name }) => `${name}.svg`)
      .sort();
    assert.deepEqual(
      readdirSync(figures)
        .filter((file) => file.endsWith(".svg"))
        .sort(),
      names,
      kind,
    );
  }
});

test("all figures are set in one type size", () => {
  for (const { payload } of reports.all)
    for (const { name, svg } of figures_of(payload))
      for (const [, size] of svg.matchAll(/font-size:\s*([\d.]+)px/g))
        assert.ok(Number(size) >= 10 && Number(size) <= 11, `${name}: ${size}`);
});

test("what names are called is never markup in a figure", () => {
  const payload = structuredClone(reports.prune.payload);
  payload.content.prunes[0].original.parts[0].kind =
    "<script>alert(1)</script>";
  for (const { svg } of figures_of(payload))
    assert.doesNotMatch(svg, /<script/);
});

test("widths are asked about without a page", (t) => {
  const module = process.env.AMPERE_WHAT_IF;
  if (!module) return t.skip("built without the estimators for the page");
  const { what_if, estimates } = reports.estimate.payload.content;
  bare.bytes = readFileSync(module);
  bare.what_if = JSON.stringify(what_if[0]);
  bare.widths = JSON.stringify(
    what_if[0].widths.map(({ original }) => original),
  );
  const [answer] = vm
    .runInContext(
      "ampere_report.what_if(new WebAssembly.Module(bytes), what_if, [widths])",
      bare,
    )
    .map(JSON.parse);
  const expected = estimates[0].energy_j_per_iteration;
  assert.ok(
    Math.abs(answer.energy_j_per_iteration.mean / expected.mean - 1) < 1e-6,
  );
  assert.ok(
    Math.abs(answer.energy_j_per_iteration.stddev / expected.stddev - 1) < 1e-6,
  );
});

test("the figures of a fleet name the source of its energies", () => {
  const job = (name, begin_s, end_s, spent_j) => ({
    name,
    kind: "xavier",
    node: "n2",
    state: "finished",
    reason: "",
    begin_s,
    end_s,
    estimated_j: { mean: 100, low: 90, high: 110 },
    reserved_j: 150,
    spent_j,
    assumed_j: 0,
    source: "simulated",
    power_most_w: 10,
  });
  const fleet = (sources) =>
    figures_of({
      ...reports.prune.payload,
      report: "fleet",
      content: {
        list: "nightly",
        jobs: [job("a", 0, 0.4, 104), job("b", 0.45, 0.9, 108)],
        power: [{ at_s: 0, power_w: 8, most_w: 10 }],
        cap_w: 20,
        accounts: [],
        sources,
      },
    });
  const axis = (sources) =>
    fleet(sources).find(({ name }) => name === "predicted-measured").svg;
  assert.match(axis(["simulated"]), />simulated, J</);
  assert.doesNotMatch(axis(["simulated"]), /measured/);
  assert.match(axis(["measured", "modelled"]), />reported, J</);
});
