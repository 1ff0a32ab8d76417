import { type HeatmapAnswer, type HeatmapCell, perHour } from "@/components/reports/heatmap/sheets";
import { caution, sentencesOf } from "@/components/reports/sentences";
import { bucketTick } from "@/components/ui/format";
import { formatRatio } from "@/lib/contract/numbers";
import { WEEKDAYS } from "@/lib/contract/vocabulary";
import { t } from "@/lib/texts/translate";

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
    t("The busiest hour of the week is {hour}, with {visits} visits on average", {
      hour: nameOf(first.cell),
      visits: formatRatio(first.visits),
    }),
    known.length === cells.length &&
      last.visits < first.visits &&
      (last.visits > 0
        ? t("The quietest is {hour}, with {visits}", { hour: nameOf(last.cell), visits: formatRatio(last.visits) })
        : t("In {empty} of {all} hours nobody came", {
            empty: known.filter(({ visits }) => visits === 0).length,
            all: cells.length,
          })),
    caution(all, "visit"),
  );
}

const nameOf = ({ weekday, hour }: HeatmapCell): string =>
  t("{weekday} from {start} to {end}", {
    weekday: t(WEEKDAYS[weekday - 1] ?? ""),
    start: timeOf(hour),
    end: timeOf((hour + 1) % 24),
  });

const timeOf = (hour: number): string => bucketTick(`1970-01-01T${`${hour}`.padStart(2, "0")}:00`, "hour", false);
