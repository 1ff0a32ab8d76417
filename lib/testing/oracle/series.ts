import { midnight } from "@/lib/testing/oracle/clock";
import { bucketsOf, naturalInterval, type Selection } from "@/lib/testing/oracle/query";

/**
 * Expected series of a report: its numbers for each bucket of the range.
 *
 * @param numbersOf computes the numbers of a part of the range.
 * @param atLeastDays whether a bucket is never shorter than a local day.
 */
export function seriesOf(scope: Selection, numbersOf: (part: Selection) => object, atLeastDays = false): object[] {
  const { range, query } = scope;
  const natural = naturalInterval(range, query);
  const interval = atLeastDays && natural === "hour" ? "day" : natural;
  return bucketsOf(range, interval).map(({ start, end, label, partial }) => {
    const within = (at: number) => start <= at && at < end;
    const part = {
      ...scope,
      visits: scope.visits.filter(({ started }) => within(started)),
      facts: scope.facts.filter(({ at }) => within(at)),
      credited: scope.credited.filter(({ at }) => within(at)),
      // Imported days have no hours.
      imported: scope.imported.filter(({ date }) => interval !== "hour" && within(midnight(date, range.zone))),
    };
    return { start: new Date(start).toISOString(), label, partial, ...numbersOf(part) };
  });
}
