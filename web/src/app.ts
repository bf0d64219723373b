// The page of `ampere serve`: asks the server, and shows what it answers.
import {Api} from "./app/api";
import {BatchesView} from "./app/batches_view";
import {BudgetView} from "./app/budget_view";
import {Connection} from "./app/connection";
import {DevicesView} from "./app/devices_view";
import {Estimates} from "./app/estimates";
import {NetworkPanel} from "./app/network_panel";
import {PartsView} from "./app/parts_view";
import {PowerView} from "./app/power_view";
import {ProfilesView} from "./app/profiles_view";
import {Question} from "./app/question";
import {ReportWindow} from "./app/report_window";
import {ResultsView} from "./app/results_view";
import {SetupPanel} from "./app/setup_panel";
import {Tabs} from "./app/tabs";
import {TokenDialog} from "./app/token_dialog";
import {TotalPanel} from "./app/total_panel";
import {WidthsPanel} from "./app/widths_panel";
import {button, element} from "./page/dom";
import {MediumChoice} from "./page/medium";

function header(medium: MediumChoice): HTMLElement {
  return element(
    "header",
    {class: "top"},
    element(
      "div",
      {},
      element("h1", {}, "ampere"),
      element("p", {class: "soft"}, "What training a network will cost, before it is trained."),
    ),
    button("Light or dark", "change between light and dark", () => medium.toggle()),
  );
}

function build(root: HTMLElement): void {
  const medium = new MediumChoice();
  const connection = new Connection();
  const api = new Api(new TokenDialog());
  api.on_unreachable = () => connection.report_lost();
  const question = new Question({
    network: null,
    widths: null,
    batch: 10,
    optimizer: "sgd",
    precision: "fp32",
    mode: "training",
    workload: {iterations: 1000},
    profile: "",
    device: "",
    method: "",
  });

  const network = new NetworkPanel(api, question);
  const setup = new SetupPanel(api, question);
  const widths = new WidthsPanel(api, question);
  const total = new TotalPanel();
  const parts = new PartsView(medium);
  new Estimates(api, question, total, parts);

  const use = (profile: string) => {
    setup.use(profile);
    tabs.go(parts.id);
  };
  const views = [
    parts,
    new DevicesView(api, question, medium, use),
    new BatchesView(api, question, medium),
    new BudgetView(
      api,
      question,
      medium,
      () => connection.wait(),
      (values) => widths.set(values),
    ),
    new ProfilesView(api, new ReportWindow(), use),
    new PowerView(api, medium),
    new ResultsView(api),
  ];
  const aside = element("div", {class: "controls"}, network.element, setup.element, widths.element);
  const main = element("main", {id: "main"});
  const tabs = new Tabs(views, (view) => {
    root.classList.toggle("alone", !view.of_network);
    aside.hidden = total.element.hidden = total.notes.hidden = !view.of_network;
  });
  main.append(total.element, total.notes, tabs.place);
  root.replaceChildren(
    header(medium),
    connection.banner,
    tabs.bar,
    element("div", {class: "columns"}, aside, main),
  );

  connection.on_return(() => {
    void setup.load();
    void network.renew();
    tabs.reopen();
  });
  void setup.load();
  void network.load();
  tabs.follow();
}

const root = document.getElementById("app");
if (root) build(root);
