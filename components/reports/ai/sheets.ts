import type { z } from "zod";
import { filteredBy } from "@/components/reports/row-filter";
import { column, type Sheet, sheetOf } from "@/components/reports/sheet";
import { valueColumn } from "@/components/reports/value-column";
import { valueName } from "@/lib/analytics/query/value-names";
import type ai from "@/lib/operations/analytics.ai";
import { localDay } from "@/lib/platform/time";
import { msg, t } from "@/lib/texts/translate";

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
  return [...counts, ...(unknown > 0 ? [t("unknown {count}", { count: `${unknown}` })] : [])].join(", ");
}

export function aiSheets({ agents, pages, unread, errors, referred, comparison, meta }: AiAnswer): Sheet[] {
  const day = (time: string) => localDay(new Date(time), meta.timezone).toString();
  const purposes = [...new Set(pages.flatMap((row) => row.purposes.map(({ purpose }) => purpose)))];
  const page = { unknown: valueName("page", null) };
  return [
    sheetOf(
      "agents",
      msg("Agents and crawlers"),
      agents,
      [
        column<Agent>(msg("Agent"), "text", (row) => row.agent, { unknown: msg("Unknown") }),
        valueColumn<Agent>(msg("Operator"), "bot_operator", (row) => row.operator),
        column<Agent>(msg("Purpose"), "text", (row) => purposeName(row.purpose)),
        column<Agent>(msg("Reads"), "count", (row) => row.reads, { about: msg("Page views that no error answered") }),
        column<Agent>(msg("Errors"), "count", (row) => row.errors, {
          about: msg("Page views answered with 400 or more"),
        }),
        column<Agent>(msg("Pages"), "count", (row) => row.pages, { about: msg("Distinct pages that it read") }),
        column<Agent>(msg("Visits"), "count", (row) => row.visits),
        column<Agent>(msg("Verified"), "fraction", (row) => row.verified_share, {
          about: msg("Share of visits from addresses that the operator publishes; – where none are published"),
          unknown: "–",
        }),
        column<Agent>(msg("Last seen"), "date", (row) => day(row.last_seen)),
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
      msg("Not read by any agent"),
      unread ?? [],
      [
        column<Unread>(msg("Page"), "path", (row) => row.page),
        column<Unread>(msg("Pageviews of people"), "count", (row) => row.pageviews),
        column<Unread>(msg("Visitors"), "count", (row) => row.visitors),
      ],
      { bar: 1, link: ({ page: path }) => filteredBy(meta, { page: path }) },
    ),
    sheetOf(
      "pages",
      msg("Pages that agents read"),
      pages,
      [
        column<Page>(msg("Page"), "path", (row) => row.page, page),
        column<Page>(msg("Reads"), "count", (row) => row.reads),
        ...purposes.map((purpose) =>
          column<Page>(purposeName(purpose), "count", ({ purposes: some }) => {
            const found = some.find((one) => one.purpose === purpose);
            return found?.reads ?? 0;
          }),
        ),
        column<Page>(msg("Agents"), "count", (row) => row.agents),
        column<Page>(msg("Last read"), "date", (row) => day(row.last_read)),
        column<Page>(msg("Answers"), "text", statusText, {
          about: msg("Requests by the class of their HTTP status, which access logs and servers know"),
          unknown: msg("not known"),
        }),
      ],
      { bar: 1, link: ({ page: path }) => filteredBy(meta, { page: path }) },
    ),
    sheetOf(
      "errors",
      msg("Errors that agents got"),
      errors,
      [
        column<Failed>(msg("Page"), "path", (row) => row.page, page),
        column<Failed>(msg("Requests"), "count", (row) => row.requests),
        column<Failed>(msg("Status"), "text", (row) => `${row.status}`),
        column<Failed>(msg("Agents"), "text", (row) => row.agents.join(", ") || null, { unknown: msg("Unknown") }),
        column<Failed>(msg("Last seen"), "date", (row) => day(row.last_seen)),
      ],
      { bar: 1, link: ({ page: path }) => filteredBy(meta, { page: path }) },
    ),
    sheetOf(
      "referred",
      msg("Visits that assistants sent"),
      referred.sources,
      [
        valueColumn<Source>(msg("Assistant"), "source", (row) => row.source, { unknown: msg("Unknown") }),
        column<Source>(msg("Visits"), "count", (row) => row.visits),
        column<Source>(msg("Visitors"), "count", (row) => row.visitors),
        column<Source>(msg("Bounce rate"), "fraction", (row) => row.bounce_rate),
        column<Source>(msg("Conversions"), "count", (row) => row.conversions, {
          about: msg("Visits with a conversion"),
        }),
        column<Source>(msg("Conversion rate"), "fraction", (row) => row.conversion_rate),
        column<Source>(msg("Revenue"), "money", (row) => row.revenue),
        column<Source>(
          msg("Landing pages"),
          "path",
          (row) => row.landing_pages.map(({ page, visits }) => `${page ?? "–"} (${visits})`).join(", ") || null,
        ),
      ],
      { bar: 1, link: ({ source }) => filteredBy(meta, { source }) },
    ),
  ];
}
