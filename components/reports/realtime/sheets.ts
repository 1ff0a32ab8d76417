import type { z } from "zod";
import { filteredBy } from "@/components/reports/row-filter";
import { column, type Sheet, sheetOf } from "@/components/reports/sheet";
import type realtime from "@/lib/operations/analytics.realtime";
import { msg } from "@/lib/texts/translate";

export type RealtimeAnswer = z.output<(typeof realtime)["output"]>;
type Present = RealtimeAnswer["pages"][number];
type RealtimeEvent = RealtimeAnswer["events"][number];

/** The types of events that a filter by name finds; the others lead to their page. */
const FILTERED_BY_NAME: readonly RealtimeEvent["type"][] = ["event", "passive", "commerce"];

/** Returns the local time of the site, "14:05:30". */
const clock = (time: string, timeZone: string): string => new Date(time).toLocaleTimeString("en-GB", { timeZone });

const asIs = (value: string): string => value;

const present = (label: string, unknown: string, nameOf = asIs) => [
  column<Present>(label, label === "Page" ? "path" : "text", ({ value }) => value && nameOf(value), { unknown }),
  column<Present>(msg("Visitors"), "count", (row) => row.visitors),
];

/**
 * Returns the tables of current visitors and of the latest events, newest first.
 *
 * @param countryOf names a country by its code; codes by default, because browsers may name countries differently than the server
 */
export function realtimeSheets(
  { minutes, pages, sources, countries, events, meta }: RealtimeAnswer,
  countryOf = asIs,
): Sheet[] {
  const by =
    (dimension: string) =>
    ({ value }: Present) =>
      filteredBy(meta, { [dimension]: value });
  const linkOf = ({ type, name, page }: RealtimeEvent) => {
    if (name !== null && FILTERED_BY_NAME.includes(type)) return filteredBy(meta, { event: name });
    return page === null ? null : filteredBy(meta, { page });
  };
  return [
    sheetOf<RealtimeAnswer["minutes"][number]>("minutes", msg("Last 30 minutes"), minutes, [
      column(msg("Minute"), "text", (row) => clock(row.start, meta.timezone).slice(0, 5)),
      column(msg("Visitors"), "count", (row) => row.visitors),
      column(msg("Pageviews"), "count", (row) => row.pageviews),
    ]),
    sheetOf("pages", msg("Pages"), pages, present(msg("Page"), msg("Unknown page")), { bar: 1, link: by("page") }),
    sheetOf("sources", msg("Sources"), sources, present(msg("Source"), msg("Direct or unknown")), {
      bar: 1,
      link: by("source"),
    }),
    sheetOf("countries", msg("Countries"), countries, present(msg("Country"), msg("Unknown"), countryOf), {
      bar: 1,
      link: by("country"),
    }),
    sheetOf<RealtimeEvent>(
      "events",
      msg("Events"),
      [...events].reverse(),
      [
        column(msg("Event"), "text", (row) => row.name ?? row.type),
        column(msg("Page"), "path", (row) => row.page),
        column(msg("Time"), "text", (row) => clock(row.time, meta.timezone)),
        column(msg("Country"), "text", ({ country }) => country && countryOf(country)),
        column(msg("Source"), "text", (row) => row.source),
        column(msg("Device"), "text", (row) => row.device),
      ],
      { link: linkOf },
    ),
  ];
}
