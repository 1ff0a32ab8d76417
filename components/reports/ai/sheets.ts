import type { z } from "zod";
import { filteredBy } from "@/components/reports/row-filter";
import { column, type Sheet, sheetOf } from "@/components/reports/sheet";
import { valueName } from "@/components/reports/values";
import type ai from "@/lib/operations/analytics.ai";
import { localDay } from "@/lib/platform/time";

export type AiAnswer = z.output<(typeof ai)["output"]>;
type Agent = AiAnswer["agents"][number];
type Page = AiAnswer["pages"][number];
type Unread = NonNullable<AiAnswer["unread"]>[number];
type Failed = AiAnswer["errors"][number];
type Source = AiAnswer["referred"]["sources"][number];

/** Returns the purpose as people read it. */
export const purposeName = (purpose: string | null): string => valueName("bot_purpose", purpose);

/** Statuses as text, such as "2xx 38, 4xx 2"; null where none is known. */
function statusText({ statuses }: Page): string | null {
  if (!statuses) return null;
  const { unknown, ...known } = statuses;
  const counts = Object.entries(known).flatMap(([name, count]) => (count > 0 ? [`${name} ${count}`] : []));
  return [...counts, ...(unknown > 0 ? [`unknown ${unknown}`] : [])].join(", ");
}

export function aiSheets({ agents, pages, unread, errors, referred, comparison, meta }: AiAnswer): Sheet[] {
  const day = (time: string) => localDay(new Date(time), meta.timezone).toString();
  const purposes = [...new Set(pages.flatMap((row) => row.purposes.map(({ purpose }) => purpose)))];
  const page = { unknown: valueName("page", null) };
  return [
    sheetOf(
      "agents",
      "Agents and crawlers",
      agents,
      [
        column<Agent>("Agent", "text", (row) => row.agent, { unknown: "Unknown" }),
        column<Agent>("Operator", "text", (row) => row.operator, { unknown: "Unknown" }),
        column<Agent>("Purpose", "text", (row) => purposeName(row.purpose)),
        column<Agent>("Reads", "count", (row) => row.reads, { about: "Page views that no error answered" }),
        column<Agent>("Errors", "count", (row) => row.errors, { about: "Page views answered with 400 or more" }),
        column<Agent>("Pages", "count", (row) => row.pages, { about: "Distinct pages that it read" }),
        column<Agent>("Visits", "count", (row) => row.visits),
        column<Agent>("Verified", "fraction", (row) => row.verified_share, {
          about: "Share of visits from addresses that the operator publishes; – where none are published",
          unknown: "–",
        }),
        column<Agent>("Last seen", "date", (row) => day(row.last_seen)),
      ],
      {
        before:
          comparison?.agents.map((row, index) => {
            const now = agents[index];
            return row && now ? { ...now, ...row } : null;
          }) ?? null,
        bar: 3,
        link: (row) => (row.agent ? filteredBy(meta, { bot: row.agent }) : null),
      },
    ),
    sheetOf(
      "unread",
      "Not read by any agent",
      unread ?? [],
      [
        column<Unread>("Page", "path", (row) => row.page),
        column<Unread>("Pageviews of people", "count", (row) => row.pageviews),
        column<Unread>("Visitors", "count", (row) => row.visitors),
      ],
      { bar: 1, link: ({ page: path }) => filteredBy(meta, { page: path }) },
    ),
    sheetOf(
      "pages",
      "Pages that agents read",
      pages,
      [
        column<Page>("Page", "path", (row) => row.page, page),
        column<Page>("Reads", "count", (row) => row.reads),
        ...purposes.map((purpose) =>
          column<Page>(purposeName(purpose), "count", ({ purposes: some }) => {
            const found = some.find((one) => one.purpose === purpose);
            return found?.reads ?? 0;
          }),
        ),
        column<Page>("Agents", "count", (row) => row.agents),
        column<Page>("Last read", "date", (row) => day(row.last_read)),
        column<Page>("Answers", "text", statusText, {
          about: "Requests by the class of their HTTP status, which access logs and servers know",
          unknown: "not known",
        }),
      ],
      { bar: 1, link: ({ page: path }) => filteredBy(meta, { page: path }) },
    ),
    sheetOf(
      "errors",
      "Errors that agents got",
      errors,
      [
        column<Failed>("Page", "path", (row) => row.page, page),
        column<Failed>("Requests", "count", (row) => row.requests),
        column<Failed>("Status", "text", (row) => `${row.status}`),
        column<Failed>("Agents", "text", (row) => row.agents.join(", ") || null, { unknown: "Unknown" }),
        column<Failed>("Last seen", "date", (row) => day(row.last_seen)),
      ],
      { bar: 1, link: ({ page: path }) => filteredBy(meta, { page: path }) },
    ),
    sheetOf(
      "referred",
      "Visits that assistants sent",
      referred.sources,
      [
        column<Source>("Assistant", "text", (row) => row.source, { unknown: "Unknown" }),
        column<Source>("Visits", "count", (row) => row.visits),
        column<Source>("Visitors", "count", (row) => row.visitors),
        column<Source>("Bounce rate", "fraction", (row) => row.bounce_rate),
        column<Source>("Conversions", "count", (row) => row.conversions, { about: "Visits with a conversion" }),
        column<Source>("Conversion rate", "fraction", (row) => row.conversion_rate),
        column<Source>("Revenue", "money", (row) => row.revenue),
        column<Source>(
          "Landing pages",
          "path",
          (row) => row.landing_pages.map(({ page, visits }) => `${page ?? "–"} (${visits})`).join(", ") || null,
        ),
      ],
      { bar: 1, link: ({ source }) => filteredBy(meta, { source }) },
    ),
  ];
}
