import type { ImportResult } from "@/lib/logs/import";

/** What became of a log, in words for whoever imported it. */
export function summary(sums: ImportResult): string {
  const { line, from, next, sent, stored, duplicate, filtered, invalid, error, faults } = sums;
  const more = invalid + error - faults.length;
  return [
    `${count(Math.max(0, line - from + 1), "line")} read, ${count(sent, "page")} sent: ${stored} stored, ${duplicate} known already, ` +
      `${filtered} left out by the site's rules, ${invalid} invalid, ${error} failed.`,
    ...faults.map(({ line, message }) => `Line ${line}: ${message}`),
    ...(more > 0 ? [`And ${more} more.`] : []),
    ...(sums.unreadable > 0 ? [`${count(sums.unreadable, "line")} in another format.`] : []),
    ...(sums.elsewhere > 0 ? [`${count(sums.elsewhere, "page")} of other hosts left out.`] : []),
    ...(sums.hasty > 0 ? [`${count(sums.hasty, "page")} left out: opened faster than people do.`] : []),
    ...(sums.late > 0
      ? [`${count(sums.late, "page")} more than a day old: a page counts at the time of its import.`]
      : []),
    ...(sums.unfinished ? ["The last line has no line break yet; it is left for the next time."] : []),
    `The next line is ${next}.`,
    "",
  ].join("\n");
}

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? "" : "s"}`;
