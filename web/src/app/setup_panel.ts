// How the network is trained, for how long, and on which device.
import {element} from "../page/dom";
import type {Api} from "./api";
import type {Method, Profile} from "./answers";
import {BatchSlider} from "./batch_slider";
import {count_of, fill, folding_panel, labelled, option, select} from "./fields";
import {error_element} from "./problem_view";
import {profile_title} from "./profile_text";
import type {Asked, Question} from "./question";

const kOptimizers = ["sgd", "plain-sgd", "adam", "adamw"];
const kPrecisions = ["fp32", "tf32", "bf16", "fp16"];

function itself(word: string): readonly [string, string] {
  return [word, word];
}

export class SetupPanel {
  readonly element: HTMLElement;
  private readonly batch_: BatchSlider;
  private readonly optimizer_ = select("optimizer", kOptimizers.map(itself));
  private readonly precision_ = select("precision", kPrecisions.map(itself));
  private readonly mode_ = select("mode", ["training", "inference"].map(itself));
  private readonly length_ = select("length", ["iterations", "epochs"].map(itself));
  private readonly count_ = element("input", {type: "number", min: "1", id: "count"});
  private readonly samples_ = element("input", {type: "number", min: "1", id: "samples"});
  private readonly samples_line_ = labelled("Samples per epoch", this.samples_);
  private readonly profile_ = select("profile", [["", "the latest that fits"]]);
  private readonly method_ = select("method", [["", "the best for the profile"]]);
  private readonly says_ = element("div", {class: "says"});
  private profiles_: readonly Profile[] = [];

  constructor(
    private readonly api_: Api,
    private readonly question_: Question,
  ) {
    this.batch_ = new BatchSlider(question_.asked.batch, (batch) => question_.set({batch}));
    this.count_.value = "1000";
    this.samples_.value = "50000";
    this.bind(this.optimizer_, (optimizer) => ({optimizer}));
    this.bind(this.precision_, (precision) => ({precision}));
    this.bind(this.mode_, (mode) => ({mode: mode as Asked["mode"]}));
    this.bind(this.method_, (method) => ({method}));
    this.profile_.addEventListener("change", () => this.use(this.profile_.value));
    for (const each of [this.length_, this.count_, this.samples_])
      each.addEventListener("change", () => this.set_workload());
    this.set_workload();
    this.element = folding_panel(
      "Training",
      "setup",
      this.batch_.element,
      element(
        "div",
        {class: "fields"},
        labelled("Optimizer", this.optimizer_),
        labelled("Precision", this.precision_),
        labelled("Length", this.count_),
        labelled("in", this.length_),
        labelled("Mode", this.mode_),
        this.samples_line_,
      ),
      labelled("Profile", this.profile_),
      labelled("Method", this.method_),
      this.says_,
    );
  }

  async load(): Promise<void> {
    try {
      const [{profiles}, {methods}] = await Promise.all([
        this.api_.get<{profiles: Profile[]}>("/v1/profiles"),
        this.api_.get<{methods: Method[]}>("/v1/methods"),
      ]);
      this.profiles_ = profiles;
      this.keep_choice(this.profile_, profiles.map((each) => [each.id, profile_title(each)]));
      this.keep_choice(
        this.method_,
        methods.map(({name, baseline}) => [name, baseline ? `${name} (baseline)` : name]),
      );
      fill(this.says_);
    } catch (error) {
      fill(this.says_, error_element(error));
    }
  }

  /** A profile was measured with one setup; whoever chooses it asks for that one. */
  use(id: string): void {
    const profile = this.profiles_.find((each) => each.id === id);
    const setup = profile?.setup ?? {};
    this.profile_.value = id;
    const change: Partial<Asked> = {
      profile: id,
      device: profile?.shipped ? id : (profile?.device.fingerprint ?? id),
      ...(setup.batch ? {batch: setup.batch} : {}),
      ...(setup.optimizer ? {optimizer: setup.optimizer} : {}),
      ...(setup.precision ? {precision: setup.precision} : {}),
    };
    if (change.batch) this.batch_.set(change.batch);
    if (change.optimizer) this.optimizer_.value = change.optimizer;
    if (change.precision) this.precision_.value = change.precision;
    this.question_.set(change);
  }

  private bind(field: HTMLSelectElement, change: (value: string) => Partial<Asked>): void {
    field.addEventListener("change", () => this.question_.set(change(field.value)));
  }

  private set_workload(): void {
    const epochs = this.length_.value === "epochs";
    this.samples_line_.hidden = !epochs;
    const count = count_of(this.count_, 1);
    const samples = count_of(this.samples_, 1);
    this.question_.set({workload: epochs ? {epochs: count, samples} : {iterations: count}});
  }

  // The first choice leaves it to the server.
  private keep_choice(field: HTMLSelectElement, choices: [string, string][]): void {
    const chosen = field.value;
    const first = field.options[0]!;
    field.replaceChildren(first, ...choices.map(([value, text]) => option(value, text)));
    if (choices.some(([value]) => value === chosen)) field.value = chosen;
  }
}
