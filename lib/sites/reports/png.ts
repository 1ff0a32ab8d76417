import { PNG } from "pngjs";

/**
 * Bar charts for emails, because mail clients show no SVG. The background is transparent, for light and dark themes.
 */

const WIDTH = 1040;
const HEIGHT = 240;
/** A blue that is visible on white and on black, and a grey for the axis. */
const BAR = [76, 130, 240, 255] as const;
const LINE = [128, 134, 145, 255] as const;
const LINE_PX = 2;

/**
 * Draws a bar chart as a PNG.
 *
 * @param values non-negative; one bar each from left to right, scaled so that the highest fills the height
 */
export function barChart(values: readonly number[]): Buffer {
  const png = new PNG({ width: WIDTH, height: HEIGHT });
  const fill = (left: number, right: number, top: number, bottom: number, colour: readonly number[]) => {
    for (let y = top; y < bottom; y++) {
      for (let x = left; x < right; x++) png.data.set(colour, (y * WIDTH + x) * 4);
    }
  };
  const highest = Math.max(...values, 1);
  const step = WIDTH / Math.max(values.length, 1);
  for (const [index, value] of values.entries()) {
    const [left, right] = [Math.round((index + 0.12) * step), Math.round((index + 0.88) * step)];
    const top = HEIGHT - LINE_PX - Math.round((value / highest) * (HEIGHT - LINE_PX));
    fill(left, right, top, HEIGHT - LINE_PX, BAR);
  }
  fill(0, WIDTH, HEIGHT - LINE_PX, HEIGHT, LINE);
  return PNG.sync.write(png);
}
