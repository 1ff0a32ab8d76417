import type { z } from "zod";
import { filteredBy } from "@/components/reports/row-filter";
import { column, type Sheet, sheetOf } from "@/components/reports/sheet";
import type events from "@/lib/operations/analytics.events";

export type EventsAnswer = z.output<(typeof events)["output"]>;
type Seen = Pick<EventsAnswer["events"][number], "count" | "visitors" | "conversion_rate" | "revenue">;
type Detail = NonNullable<EventsAnswer["event"]>;
type Value = Detail["pages"][number];

const numbers = [
  column<Seen>("Count", "count", (row) => row.count, { about: "Number of events" }),
  column<Seen>("Visitors", "count", (row) => row.visitors, { about: "Number of visitors with the event" }),
  column<Seen>("Conversion rate", "fraction", (row) => row.conversion_rate, {
    about: "Share of all visitors with the event",
  }),
  column<Seen>("Revenue", "money", (row) => row.revenue, { about: "Revenue of the events, minus refunds" }),
];

/** Returns the tables of all events and goals, and for a selected event its trend, properties, pages and sources. */
export function eventSheets({ events, comparison, goals, event, meta }: EventsAnswer): Sheet[] {
  const list = [column<(typeof events)[number]>("Event", "text", (row) => row.event), ...numbers];
  const reached = [
    column<(typeof goals)[number]>("Goal", "text", (row) => row.goal),
    column<(typeof goals)[number]>("Reached by", "path", (row) => `${row.kind} ${row.pattern}`),
    ...numbers,
  ];
  return [
    ...(event ? detailSheets(event, meta) : []),
    sheetOf<(typeof events)[number]>("events", "All events", events, list, {
      before: comparison,
      bar: 1,
      link: (row) => ({ event: row.event }),
    }),
    sheetOf<(typeof goals)[number]>("goals", "Goals", goals, reached, {
      bar: 2,
      link: ({ goal }) => filteredBy(meta, { [`goal:${goal}`]: "yes" }),
    }),
  ];
}

function detailSheets({ series, properties, pages, sources }: Detail, meta: EventsAnswer["meta"]): Sheet[] {
  const seen = (label: string, unknown?: string) => [
    column<Value>(label, label === "Page" ? "path" : "text", (row) => row.value, { unknown }),
    column<Value>("Count", "count", (row) => row.count),
    column<Value>("Visitors", "count", (row) => row.visitors),
  ];
  const trend = [
    column<Detail["series"][number]>("Date", "text", (row) => row.label),
    column<Detail["series"][number]>("Count", "count", (row) => row.count),
    column<Detail["series"][number]>("Visitors", "count", (row) => row.visitors),
    column<Detail["series"][number]>("Revenue", "money", (row) => row.revenue),
  ];
  return [
    sheetOf("series", "Over time", series, trend),
    ...properties.map(({ key, values }, index) =>
      sheetOf(`property-${index + 1}`, key, values, seen("Value"), {
        bar: 1,
        link: ({ value }) => filteredBy(meta, { [`prop:${key}`]: value }),
      }),
    ),
    sheetOf("pages", "Pages", pages, seen("Page", "Unknown page"), {
      bar: 2,
      link: ({ value }) => filteredBy(meta, { page: value }),
    }),
    sheetOf("sources", "Sources", sources, seen("Source", "Direct or unknown"), {
      bar: 2,
      link: ({ value }) => filteredBy(meta, { source: value }),
    }),
  ];
}
