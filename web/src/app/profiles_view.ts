// The profiles there are: of which device, how old, how far off, and the report of each.
import {whole} from "../base/format";
import {button, element} from "../page/dom";
import {badge} from "../page/shell";
import type {Api} from "./api";
import type {Profile} from "./answers";
import {LoadedView} from "./loaded_view";
import {
  age_text,
  drift_text,
  error_text,
  methods_text,
  profile_title,
  setup_text,
  source_of,
} from "./profile_text";
import type {ReportWindow} from "./report_window";

export class ProfilesView extends LoadedView {
  readonly id = "profiles";
  readonly title = "Profiles";

  constructor(
    private readonly api_: Api,
    private readonly window_: ReportWindow,
    private readonly use_: (profile: string) => void,
  ) {
    super();
  }

  protected async load(): Promise<void> {
    const {profiles} = await this.api_.get<{profiles: Profile[]}>("/v1/profiles");
    this.place_.className = profiles.length > 0 ? "cards" : "";
    this.place_.replaceChildren(
      ...(profiles.length > 0 ? profiles.map((each) => this.card(each)) : [none()]),
    );
  }

  private card(profile: Profile): HTMLElement {
    const source = source_of(profile);
    const facts = element("dl", {class: "profile"});
    const add = (name: string, value: string | null | undefined) => {
      if (value) facts.append(element("dt", {}, name), element("dd", {}, value));
    };
    add("profile", profile.shipped ? `${profile.id}, came with the program` : profile.id);
    add("for", setup_text(profile));
    add("methods", methods_text(profile));
    add("age", age_text(profile.age_s));
    add("drift", drift_text(profile));
    add("error", error_text(profile));
    add("points", whole(profile.points));
    add("meter", profile.device.meter);
    add("framework", profile.device.framework);
    return element(
      "article",
      {class: "card plain", "data-profile": profile.id},
      element(
        "h3",
        {},
        profile.device.name,
        " ",
        source ? badge({source, estimated: false}) : null,
      ),
      facts,
      element(
        "div",
        {class: "buttons"},
        button("Report", `open the report of profile ${profile_title(profile)}`, () =>
          this.open_report(profile),
        ),
        button("Estimate with it", `estimate with profile ${profile_title(profile)}`, () =>
          this.use_(profile.id),
        ),
      ),
    );
  }

  private open_report(profile: Profile): void {
    void this.attempt(async () => {
      const path = `/v1/profiles/${encodeURIComponent(profile.id)}/report`;
      this.window_.show(`Profile ${profile_title(profile)}`, await this.api_.text(path));
    });
  }
}

function none(): HTMLElement {
  return element(
    "p",
    {class: "notice"},
    "There is no profile yet. What helps: ",
    element("code", {}, "ampere profile MODEL"),
  );
}
