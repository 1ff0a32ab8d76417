import type { z } from "zod";
import { column, type Kind, type Sheet, sheetOf } from "@/components/reports/sheet";
import { valueColumn } from "@/components/reports/value-column";
import { addressOf } from "@/components/reports/view";
import { decimalMoney } from "@/lib/contract/numbers";
import { MEASURES, type Measure, type Outcome, SUMMED_OUTCOMES } from "@/lib/contract/vocabulary";
import type sitesCombined from "@/lib/operations/sites.combined";
import { siteTitle } from "@/lib/platform/legible-host";
import { msg } from "@/lib/texts/translate";
import { type CombinedView, rangeParams } from "./view";

export type Combined = z.output<(typeof sitesCombined)["output"]>;
type SiteRow = Combined["sites"][number];
type ListRow = Combined["sources"][number];

/** The lists of the report: their titles, and the dimension that each one shows. */
const LISTS = [
  ["sources", msg("Sources"), msg("Source"), "source"],
  ["pages", msg("Pages"), msg("Page"), "page"],
  ["countries", msg("Countries"), msg("Country"), "country"],
] as const;

const KINDS = {
  count: "count",
  ratio: "number",
  fraction: "fraction",
  seconds: "seconds",
  money: "money",
} as const satisfies Record<string, Kind>;

type Numbers = NonNullable<SiteRow["metrics"]>;

const ALWAYS = ["visitors", "visits", "pageviews", "bounce_rate", "visit_duration"] as const;

/** Returns the column of a number of each row; money is in the currency of the report. */
function measured<Row>(measure: Measure, currency: string, of: (row: Row) => Partial<Numbers> | null) {
  const { label, unit, about } = MEASURES[measure];
  const cellOf = (row: Row) => {
    const value = of(row)?.[measure as keyof Numbers] ?? null;
    return value !== null && unit === "money" ? decimalMoney(value, currency) : value;
  };
  return column<Row>(label, KINDS[unit], cellOf, { about });
}

/** Returns what visits led to in the report, of those that a table has columns for. */
const ledTo = <Key extends Outcome>({ metrics }: Combined, keys: readonly Key[]): Key[] =>
  keys.filter((key) => metrics[key as keyof Numbers] !== undefined);

/** Returns the tables of the report; each row leads to the dashboard of its site. */
export function sheetsOf(answer: Combined, view: CombinedView): Sheet[] {
  const home = (siteId: number, more = {}) => addressOf(`/sites/${siteId}`, { ...rangeParams(view), ...more });
  const titles = new Map(answer.sites.map((site) => [site.site_id, siteTitle(site)]));
  return [
    sheetOf(
      "sites",
      msg("Sites"),
      answer.sites,
      [
        column<SiteRow>(msg("Site"), "text", siteTitle),
        ...[...ALWAYS, ...ledTo(answer, SUMMED_OUTCOMES)].map((measure) =>
          measured<SiteRow>(measure, answer.currency, ({ metrics }) => metrics),
        ),
      ],
      {
        before: answer.sites.map((site) => site.previous && { ...site, metrics: site.previous }),
        bar: 1,
        href: ({ site_id }) => home(site_id),
      },
    ),
    ...LISTS.map(([list, title, label, dimension]) =>
      sheetOf(
        list,
        title,
        answer[list],
        [
          valueColumn<ListRow>(label, dimension, ({ value }) => value),
          column<ListRow>(msg("Site"), "text", ({ site_id }) => titles.get(site_id) ?? null),
          ...(["visitors", ...ledTo(answer, ["revenue", "conversions"]).slice(0, 1)] as const).map((measure) =>
            measured<ListRow>(measure, answer.currency, (row) => row),
          ),
        ],
        {
          bar: 2,
          href: ({ site_id, value }) => home(site_id, { filters: JSON.stringify({ [dimension]: value ?? "" }) }),
        },
      ),
    ),
  ];
}
