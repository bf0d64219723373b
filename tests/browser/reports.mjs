// Reports as people make them: by the program, from committed recordings, in a folder of their own.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const root = fileURLToPath(new URL("../..", import.meta.url));
export const program = process.env.AMPERE ?? join(root, "build/bin/ampere");

// As bench/evaluate/settings has them.
const settings =
  "--seed 11 --points 6 --precision 0.03 --point-seconds 1.4 --timings 400 --windows 18 --baseline-limit 45".split(
    " ",
  );

export function run(...words) {
  return execFileSync(program, words, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 1 << 28,
    stdio: ["ignore", "pipe", "ignore"],
  });
}

export function run_json(...words) {
  return JSON.parse(run(...words, "--json"));
}

/** A store with what was recorded of lstm at batch 128, and every kind of report of it. */
export class Reports {
  made = 0;

  /** Those that were made for all suites, or some of one's own where a suite is run by hand. */
  static open() {
    const folder = process.env.AMPERE_REPORTS;
    if (!folder)
      return new Reports(mkdtempSync(join(tmpdir(), "ampere-browser-")));
    const made = JSON.parse(readFileSync(join(folder, "reports.json"), "utf8"));
    return Object.assign(Object.create(Reports.prototype), made);
  }

  constructor(folder) {
    this.folder = folder;
    this.store = `sqlite:${join(this.folder, "store.db")}`;
    this.evaluation = run_json(
      "evaluate",
      "lstm",
      "--batch",
      "128",
      "--networks",
      "40",
      ...settings,
      "--rig",
      "recorded:data/h200_lstm_batch128.jsonl.gz",
      "--store",
      this.store,
    );
    this.evaluate = this.make("evaluate", "--store", this.store);
    this.estimate = this.make(
      "estimate",
      "lstm",
      "--batch",
      "128",
      "--iterations",
      "2000",
      "--store",
      this.store,
    );
    this.profile = this.make("profile", "--store", this.store);
    this.tested = this.make_tested(join(this.folder, "tested.db"));
    this.choose = this.make(
      "choose",
      "resnet50:size=224",
      "--batch",
      "16,64,256",
      "--precision",
      "fp32,bf16",
      "--compile",
      "no,yes",
      "--memory",
      "16GB",
      "--device",
      "h200",
      "--store",
      `sqlite:${join(this.folder, "none.db")}`,
    );
    this.generation = this.make_generation();
    // What `ampere prune lenet5 --budget 50% --rig cpu --data fashion-mnist --json` once gave.
    this.prune = this.make(
      "prune",
      "--from",
      join(root, "tests/browser/lenet5_pruned.json"),
    );
  }

  /** A profile whose fits were tested; no recording has such points. */
  make_tested(path) {
    const store = ["--store", `sqlite:${path}`];
    const words = "--rig sim:xavier --method ampere --points 8 --test-points 6";
    run("profile", "cnn5", ...words.split(" "), ...store);
    return this.make("profile", ...store);
  }

  /** A small language model at two batches, from traced calls of it. */
  make_generation() {
    const calls = join(root, "tests/data/generation");
    const words = "--mode generation --prompt 16 --new-tokens 10 --latency-limit 1s --device h200";
    const answer = run_json(
      "estimate",
      ...readdirSync(calls).map((name) => join(calls, name)),
      ...words.split(" "),
      "--store",
      `sqlite:${join(this.folder, "none.db")}`,
    );
    const file = join(this.folder, "generation.json");
    writeFileSync(file, JSON.stringify(answer));
    return this.make("generation", file);
  }

  /** The report of a profile from somebody else, in which every name is `hostile`. */
  make_untrusted(hostile) {
    const from = ["--store", `sqlite:${join(this.folder, "tested.db")}`];
    const profile = JSON.parse(run("profiles", "export", "1", ...from));
    for (const device of [profile, ...profile.observations].map((each) => each.device))
      for (const key of ["name", "hardware", "driver", "framework", "power_mode"])
        device[key] = hostile;
    for (const { model, measurement } of profile.observations) {
      model.name = hostile;
      measurement?.notes.push(hostile);
    }
    const file = join(this.folder, "untrusted.json");
    writeFileSync(file, JSON.stringify(profile));
    const store = ["--store", `sqlite:${join(this.folder, "untrusted.db")}`];
    run("profiles", "import", file, ...store);
    return this.make("profile", ...store);
  }

  /** The page, and what it holds. */
  make(kind, ...words) {
    const name = `${kind}-${++this.made}`;
    const file = join(this.folder, `${name}.html`);
    const figures = join(this.folder, `${name}-figures`);
    run("report", kind, ...words, "--output", file, "--figures", figures);
    return { kind, file, figures, payload: run_json("report", kind, ...words) };
  }

  /** The same page with something else, or nothing, where its estimators are. */
  with_estimators(page, element) {
    return this.write(
      readFileSync(page.file, "utf8").replace(
        /<script type="text\/plain" id="estimators[^]*?<\/script>/,
        () => element,
      ),
    );
  }

  write(html) {
    const file = join(
      this.folder,
      `changed-${Math.random().toString(36).slice(2)}.html`,
    );
    writeFileSync(file, html);
    return file;
  }

  /** The same page with other data in it. */
  with_payload(page, payload, packed = false) {
    const element = packed
      ? `<script type="text/plain" id="payload-gz">${gzipSync(JSON.stringify(payload)).toString("base64")}</script>`
      : `<script type="application/json" id="payload">${JSON.stringify(payload).replace(/</g, "\\u003c")}</script>`;
    return this.write(
      readFileSync(page.file, "utf8").replace(
        /<script type="[a-z/]+" id="payload[^]*?<\/script>/,
        () => element,
      ),
    );
  }

  get all() {
    return [
      this.evaluate,
      this.estimate,
      this.profile,
      this.tested,
      this.choose,
      this.generation,
      this.prune,
    ];
  }

  /** For the suites to open. */
  save() {
    writeFileSync(join(this.folder, "reports.json"), JSON.stringify(this));
  }

  remove() {
    if (!process.env.AMPERE_REPORTS)
      rmSync(this.folder, { recursive: true, force: true });
  }
}
