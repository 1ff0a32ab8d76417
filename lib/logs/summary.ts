import type { ImportResult } from "@/lib/logs/import";

/** Returns the totals of an import as text. */
export function summary(sums: ImportResult): string {
  const { line, from, next, sent, stored, duplicate, filtered, invalid, error, faults } = sums;
  const more = invalid + error - faults.length;
  return [
    `${count(Math.max(0, line - from + 1), "line")} read, ${count(sent, "page")} sent: ${stored} stored, ${duplicate} duplicates, ` +
      `${filtered} filtered by the site's rules, ${invalid} invalid, ${error} failed.`,
    ...faults.map(({ line, message }) => `Line ${line}: ${message}`),
    ...(more > 0 ? [`And ${more} more.`] : []),
    ...(sums.unreadable > 0 ? [`${count(sums.unreadable, "line")} in an unknown format.`] : []),
    ...(sums.otherHosts > 0 ? [`${count(sums.otherHosts, "page")} of other hosts skipped.`] : []),
    ...(sums.tooFast > 0 ? [`${count(sums.tooFast, "page")} skipped: opened faster than people can.`] : []),
    ...(sums.late > 0
      ? [`${count(sums.late, "page")} more than a day old: pages count at the time of the import.`]
      : []),
    ...(sums.unfinished ? ["The last line has no line break yet; the next import reads it."] : []),
    `The next line is ${next}.`,
    "",
  ].join("\n");
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`;
