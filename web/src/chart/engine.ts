import {BarChart, CustomChart, HeatmapChart, LineChart, ScatterChart} from "echarts/charts";
import {
  AriaComponent,
  GridComponent,
  LegendComponent,
  MarkAreaComponent,
  MarkLineComponent,
  TitleComponent,
  TooltipComponent,
  VisualMapComponent,
} from "echarts/components";
import {init, use, type EChartsType} from "echarts/core";
import {SVGRenderer} from "echarts/renderers";
import type {EChartsOption} from "echarts";

use([
  BarChart,
  CustomChart,
  HeatmapChart,
  LineChart,
  ScatterChart,
  AriaComponent,
  GridComponent,
  LegendComponent,
  MarkAreaComponent,
  MarkLineComponent,
  TitleComponent,
  TooltipComponent,
  VisualMapComponent,
  SVGRenderer,
]);

export type Chart = EChartsType;

export function chart_in(element: HTMLElement, width: number, height: number): Chart {
  return init(element, null, {renderer: "svg", width, height});
}

/** Without a browser. */
export function svg_of(option: EChartsOption, width: number, height: number): string {
  const chart = init(null, null, {renderer: "svg", ssr: true, width, height});
  chart.setOption(option);
  const svg = chart.renderToSVGString();
  chart.dispose();
  return svg;
}
