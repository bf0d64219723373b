// Which network: one of the zoo, or a file.
import {element} from "../page/dom";
import type {Api} from "./api";
import type {Upload, ZooModel} from "./answers";
import {labelled, option} from "./fields";
import {error_element} from "./problem_view";
import type {Question} from "./question";

const kFirst = "cnn5"; // small, and what the documentation begins with

export class NetworkPanel {
  readonly element: HTMLElement;
  private readonly zoo_ = element("select", {id: "zoo"});
  private readonly about_ = element("p", {class: "soft hint"});
  private readonly options_ = element("div", {class: "fields"});
  private readonly file_ = element("input", {
    type: "file",
    id: "file",
    class: "spoken",
    accept: ".onnx,.json,.program",
  });
  private readonly drop_ = element(
    "label",
    {class: "drop", for: "file"},
    element("strong", {}, "Drop a file here"),
    element("span", {class: "soft"}, "or press to choose: .onnx, model .json or .program"),
  );
  private readonly chosen_ = element("p", {class: "chosen", role: "status"});
  private readonly says_ = element("div", {class: "says"});
  private models_: readonly ZooModel[] = [];
  private uploaded_: File | null = null;

  constructor(
    private readonly api_: Api,
    private readonly question_: Question,
  ) {
    this.zoo_.addEventListener("change", () => this.choose_zoo());
    this.file_.addEventListener("change", () => {
      const [file] = this.file_.files ?? [];
      this.file_.value = ""; // so that the same file can be chosen again
      if (file) void this.upload(file);
    });
    this.accept_drops();
    this.element = element(
      "section",
      {class: "panel", "aria-labelledby": "network-title"},
      element("h2", {id: "network-title"}, "Network"),
      labelled("From the zoo", this.zoo_),
      this.about_,
      this.options_,
      this.file_,
      this.drop_,
      this.chosen_,
      this.says_,
    );
  }

  async load(): Promise<void> {
    try {
      this.models_ = (await this.api_.get<{models: ZooModel[]}>("/v1/models")).models;
      this.zoo_.replaceChildren(...this.models_.map(({name}) => option(name, name)));
      const first = this.models_.find(({name}) => name === kFirst) ?? this.models_[0];
      if (first) this.zoo_.value = first.name;
      this.choose_zoo();
    } catch (error) {
      this.say(error);
    }
  }

  /** The server may have been started anew, and then it has no uploads. */
  async renew(): Promise<void> {
    if (this.models_.length === 0) await this.load();
    else if (this.uploaded_) await this.upload(this.uploaded_);
    else this.question_.set({});
  }

  private choose_zoo(): void {
    const model = this.models_.find(({name}) => name === this.zoo_.value);
    if (!model) return;
    this.about_.textContent = model.description;
    const fields = model.options.map(({key, default: value}) => {
      const field = element("input", {type: "number", min: "1", value: String(value), id: key});
      return {key, value, field, line: labelled(key, field)};
    });
    const ask = () => {
      const changed = fields.flatMap(({key, value, field}) =>
        field.value && Number(field.value) !== value ? [`${key}=${field.value}`] : [],
      );
      this.choose(model.name + (changed.length > 0 ? `:${changed.join(",")}` : ""));
    };
    for (const {field} of fields) field.addEventListener("change", ask);
    this.options_.replaceChildren(...fields.map(({line}) => line));
    ask();
  }

  private choose(zoo: string): void {
    this.uploaded_ = null;
    this.say(null);
    this.chosen_.replaceChildren();
    this.question_.set({network: {zoo}, widths: null});
  }

  private async upload(file: File): Promise<void> {
    this.say(null);
    this.chosen_.textContent = `Sending ${file.name} …`;
    try {
      const path = `/v1/uploads?name=${encodeURIComponent(file.name)}`;
      const {upload, name, kind} = await this.api_.upload<Upload>(path, file);
      this.uploaded_ = file;
      this.chosen_.replaceChildren("Chosen: ", element("strong", {}, name), ` (${kind})`);
      this.question_.set({network: {upload}, widths: null});
    } catch (error) {
      this.chosen_.replaceChildren();
      this.say(error);
    }
  }

  // A file that misses the field would otherwise replace the page.
  private accept_drops(): void {
    const over = (is: boolean) => this.drop_.classList.toggle("over", is);
    document.addEventListener("dragover", (event) => {
      event.preventDefault();
      over(true);
    });
    document.addEventListener("dragleave", () => over(false));
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      over(false);
      const file = event.dataTransfer?.files[0];
      if (file) void this.upload(file);
    });
  }

  private say(error: unknown): void {
    const says = error === null ? null : error_element(error);
    this.says_.replaceChildren(...(says ? [says] : []));
  }
}
