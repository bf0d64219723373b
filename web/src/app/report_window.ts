// A report of the server over the page. A link could not send the token, so the report is fetched and put
// into a frame; it loads the same scripts and styles under the same policy as any page of the server.
import {button, element} from "../page/dom";

export class ReportWindow {
  private readonly title_ = element("h2", {id: "report-title"});
  private readonly frame_ = element("iframe", {title: "report"});
  private readonly dialog_ = element("dialog", {
    class: "report-window",
    "aria-labelledby": "report-title",
  });

  constructor() {
    this.dialog_.append(
      element(
        "div",
        {class: "head"},
        this.title_,
        button("Close", "close the report", () => this.dialog_.close()),
      ),
      this.frame_,
    );
    this.dialog_.addEventListener("close", () => this.frame_.removeAttribute("srcdoc"));
    document.body.append(this.dialog_);
  }

  show(title: string, html: string): void {
    this.title_.textContent = title;
    this.frame_.setAttribute("srcdoc", html);
    this.dialog_.showModal();
  }
}
