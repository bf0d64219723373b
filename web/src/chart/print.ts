import type {Figure} from "./figure";
import {look_of} from "./look";
import {svg_of} from "./engine";

// At 85 mm, a column of most papers, or 175 mm, two of them, the type is 8 points high.
const kColumn = 340;
const kTwoColumns = 700;

/** The figure as it goes into a paper: light, and readable in black and white. */
export function print_svg(figure: Figure): string {
  const look = look_of("print");
  const width = figure.wide ? kTwoColumns : kColumn;
  return svg_of(
    {...figure.option(look, width), animation: false},
    width,
    figure.height(look, width),
  );
}
