import { type HeatmapAnswer, type HeatmapCell, perHour, WEEKDAYS } from "@/components/reports/heatmap/sheets";
import { caution, sentencesOf } from "@/components/reports/sentences";
import { bucketTick } from "@/components/ui/format";
import { formatRatio } from "@/lib/contract/numbers";

/** Returns the busiest and the quietest hour of the week. */
export function heatmapSays({ cells }: HeatmapAnswer): string | null {
  const known = cells
    .flatMap((cell) => {
      const visits = perHour(cell.visits, cell);
      return visits === null ? [] : [{ cell, visits }];
    })
    .sort((a, b) => b.visits - a.visits);
  const [first, last] = [known[0], known.at(-1)];
  const all = cells.reduce((sum, { visits }) => sum + visits, 0);
  if (!first || !last || all === 0) return null;
  return sentencesOf(
    `The busiest hour of the week is ${nameOf(first.cell)}, with ${formatRatio(first.visits)} visits on average`,
    known.length === cells.length &&
      last.visits < first.visits &&
      (last.visits > 0
        ? `The quietest is ${nameOf(last.cell)}, with ${formatRatio(last.visits)}`
        : `In ${known.filter(({ visits }) => visits === 0).length} of ${cells.length} hours nobody came`),
    caution(all, "visit"),
  );
}

const nameOf = ({ weekday, hour }: HeatmapCell): string =>
  `${WEEKDAYS[weekday - 1]} from ${timeOf(hour)} to ${timeOf((hour + 1) % 24)}`;

const timeOf = (hour: number): string => bucketTick(`1970-01-01T${`${hour}`.padStart(2, "0")}:00`, "hour", false);
