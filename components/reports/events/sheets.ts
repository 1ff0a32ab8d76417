import type { z } from "zod";
import { conditionText } from "@/components/reports/funnels/sheets";
import { filteredBy, toBucketOf } from "@/components/reports/row-filter";
import { type ColumnOf, column, type Sheet, sheetOf, valued } from "@/components/reports/sheet";
import { valueColumn } from "@/components/reports/value-column";
import type events from "@/lib/operations/analytics.events";
import { msg } from "@/lib/texts/translate";

export type EventsAnswer = z.output<(typeof events)["output"]>;
type Seen = Pick<EventsAnswer["events"][number], "count" | "visitors" | "conversion_rate" | "revenue">;
type Detail = NonNullable<EventsAnswer["event"]>;
type Value = Detail["pages"][number];

const numbers = [
  column<Seen>(msg("Count"), "count", (row) => row.count, { about: msg("Number of events") }),
  column<Seen>(msg("Visitors"), "count", (row) => row.visitors, { about: msg("Number of visitors with the event") }),
  column<Seen>(msg("Conversion rate"), "fraction", (row) => row.conversion_rate, {
    about: msg("Share of all visitors with the event"),
  }),
  column<Seen>(msg("Revenue"), "money", (row) => row.revenue, { about: msg("Revenue of the events, minus refunds") }),
];

/** Returns the tables of all events and goals, and for a selected event its trend, properties, pages and sources. */
export function eventSheets({ events, comparison, goals, event, meta }: EventsAnswer): Sheet[] {
  const list = [column<(typeof events)[number]>(msg("Event"), "text", (row) => row.event), ...numbers];
  const reached = [
    column<(typeof goals)[number]>(msg("Goal"), "text", (row) => row.goal),
    column<(typeof goals)[number]>(msg("Reached by"), "path", (row) => conditionText(row)),
    ...numbers,
    ...valued(goals),
  ];
  return [
    ...(event ? detailSheets(event, meta) : []),
    sheetOf<(typeof events)[number]>("events", msg("All events"), events, list, {
      before: comparison,
      bar: 1,
      link: (row) => ({ event: row.event }),
    }),
    sheetOf<(typeof goals)[number]>("goals", msg("Goals"), goals, reached, {
      bar: 2,
      link: ({ goal }) => filteredBy(meta, { [`goal:${goal}`]: "yes" }),
    }),
  ];
}

function detailSheets({ series, properties, pages, sources }: Detail, meta: EventsAnswer["meta"]): Sheet[] {
  const seen = (values: ColumnOf<Value>) => [
    values,
    column<Value>(msg("Count"), "count", (row) => row.count),
    column<Value>(msg("Visitors"), "count", (row) => row.visitors),
  ];
  const trend = [
    column<Detail["series"][number]>(msg("Date"), "text", (row) => row.label),
    column<Detail["series"][number]>(msg("Count"), "count", (row) => row.count),
    column<Detail["series"][number]>(msg("Visitors"), "count", (row) => row.visitors),
    column<Detail["series"][number]>(msg("Revenue"), "money", (row) => row.revenue),
  ];
  return [
    sheetOf("series", msg("Over time"), series, trend, { link: toBucketOf(series, meta) }),
    ...properties.map(({ key, values }, index) =>
      sheetOf(`property-${index + 1}`, key, values, seen(column(msg("Value"), "text", (row) => row.value)), {
        bar: 1,
        link: ({ value }) => filteredBy(meta, { [`prop:${key}`]: value }),
      }),
    ),
    sheetOf("pages", msg("Pages"), pages, seen(valueColumn(msg("Page"), "page", (row) => row.value)), {
      bar: 2,
      link: ({ value }) => filteredBy(meta, { page: value }),
    }),
    sheetOf("sources", msg("Sources"), sources, seen(valueColumn(msg("Source"), "source", (row) => row.value)), {
      bar: 2,
      link: ({ value }) => filteredBy(meta, { source: value }),
    }),
  ];
}
