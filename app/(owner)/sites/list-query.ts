import { supportedDay, tagName } from "@/lib/contract/fields";
import { PERIODS } from "@/lib/contract/vocabulary";
import { SORTS, type Sort } from "@/lib/sites/site-list";
import { msg, t } from "@/lib/texts/translate";
import type { AskedPeriod } from "./numbers";

/** What the list of sites asks for, from its address. */
export interface ListQuery {
  search: string;
  sort: Sort;
  /** Empty for all. */
  tag: string;
  asked: AskedPeriod;
  page: number;
}

/** The periods of the list, with their labels. */
export const LIST_PERIODS = (
  ["today", "yesterday", "7d", "28d", "30d", "90d", "month", "last_month", "6mo", "12mo", "year"] as const
).map((value) => ({ value, label: PERIODS[value] }));

const WEEK: AskedPeriod = { period: "7d", from: null, to: null };

type Query = Readonly<Record<string, string | string[] | undefined>>;

/** Reads the query of an address. What is not valid is left out. */
export function readListQuery(query: Query): ListQuery {
  const text = (name: string) => (typeof query[name] === "string" ? (query[name] as string).trim() : "");
  return {
    search: text("q"),
    sort: SORTS.find((one) => one === query.sort) ?? "name",
    tag: tagName.safeParse(text("tag")).data?.toLowerCase() ?? "",
    asked: periodOf(text("period"), text("from"), text("to")),
    page: /^[1-9]\d{0,4}$/.test(text("page")) ? Number(text("page")) : 1,
  };
}

function periodOf(period: string, from: string, to: string): AskedPeriod {
  const isDay = (day: string) => supportedDay.safeParse(day).success;
  if (isDay(from) && isDay(to)) return { period: "custom", ...(from <= to ? { from, to } : { from: to, to: from }) };
  const known = LIST_PERIODS.find(({ value }) => value === period);
  return known ? { period: known.value, from: null, to: null } : WEEK;
}

/** Returns the address of a list of sites, without what is the default. */
export function listUrl({ search, sort, tag, asked, page = 1 }: Omit<ListQuery, "page"> & { page?: number }): string {
  const query = new URLSearchParams({
    ...(search && { q: search }),
    ...(sort !== "name" && { sort }),
    ...(tag && { tag }),
    ...(asked.from && asked.to
      ? { from: asked.from, to: asked.to }
      : asked.period !== WEEK.period && { period: asked.period }),
    ...(page > 1 && { page: `${page}` }),
  });
  return query.size > 0 ? `/sites?${query}` : "/sites";
}

/** Returns the address of a site's dashboard with the period of the list, so that it shows the number that was clicked. */
export function dashboardUrl(siteId: number, { period, from, to }: AskedPeriod): string {
  return `/sites/${siteId}?${new URLSearchParams(from && to ? { from, to } : { period })}`;
}

const IN_SENTENCES: Record<AskedPeriod["period"], string> = {
  today: msg("today"),
  yesterday: msg("yesterday"),
  "24h": msg("in the last 24 hours"),
  "7d": msg("in the last 7 days"),
  "28d": msg("in the last 28 days"),
  "30d": msg("in the last 30 days"),
  "90d": msg("in the last 90 days"),
  "6mo": msg("in the last 6 months"),
  "12mo": msg("in the last 12 months"),
  month: msg("this month"),
  last_month: msg("last month"),
  year: msg("this year"),
  all: msg("all time"),
  custom: msg("custom range"),
};

/** Returns how a period is called in a sentence, such as "in the last 7 days". */
export function periodText({ period, from, to }: AskedPeriod): string {
  if (!from || !to) return t(IN_SENTENCES[period]);
  return from === to ? t("on {day}", { day: from }) : t("from {from} to {to}", { from, to });
}
