import type { z } from "zod";
import { filteredBy } from "@/components/reports/row-filter";
import { column, type Sheet, sheetOf } from "@/components/reports/sheet";
import type realtime from "@/lib/operations/analytics.realtime";

export type RealtimeAnswer = z.output<(typeof realtime)["output"]>;
type Present = RealtimeAnswer["pages"][number];
type RealtimeEvent = RealtimeAnswer["events"][number];

/** Returns the local time of the site, "14:05:30". */
const clock = (time: string, timeZone: string): string => new Date(time).toLocaleTimeString("en-GB", { timeZone });

const present = (label: string, unknown: string) => [
  column<Present>(label, label === "Page" ? "path" : "text", (row) => row.value, { unknown }),
  column<Present>("Visitors", "count", (row) => row.visitors),
];

/**
 * Returns the tables of current visitors and of the latest events, newest first. Countries are shown as codes, because
 * this also runs in browsers, which may name countries differently.
 */
export function realtimeSheets({ minutes, pages, sources, countries, events, meta }: RealtimeAnswer): Sheet[] {
  const by =
    (dimension: string) =>
    ({ value }: Present) =>
      filteredBy(meta, { [dimension]: value });
  return [
    sheetOf<RealtimeAnswer["minutes"][number]>("minutes", "Last 30 minutes", minutes, [
      column("Minute", "text", (row) => clock(row.start, meta.timezone).slice(0, 5)),
      column("Visitors", "count", (row) => row.visitors),
      column("Pageviews", "count", (row) => row.pageviews),
    ]),
    sheetOf("pages", "Pages", pages, present("Page", "Unknown page"), { bar: 1, link: by("page") }),
    sheetOf("sources", "Sources", sources, present("Source", "Direct or unknown"), { bar: 1, link: by("source") }),
    sheetOf("countries", "Countries", countries, present("Country", "Unknown"), { bar: 1, link: by("country") }),
    sheetOf<RealtimeEvent>("events", "Events", [...events].reverse(), [
      column("Time", "text", (row) => clock(row.time, meta.timezone)),
      column("Event", "text", (row) => row.name ?? row.type),
      column("Page", "path", (row) => row.page),
      column("Country", "text", (row) => row.country),
      column("Source", "text", (row) => row.source),
      column("Device", "text", (row) => row.device),
    ]),
  ];
}
