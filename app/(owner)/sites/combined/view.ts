import type { z } from "zod";
import { addressOf, readView, type SearchParams } from "@/components/reports/view";
import { type Period, reportingCurrency, tagName } from "@/lib/contract/fields";
import type sitesCombined from "@/lib/operations/sites.combined";

/** What the combined report asks for, from its address: a link is a view. */
export interface CombinedView {
  /** Null for all, or those of the tag or team. */
  siteIds: number[] | null;
  tag: string | null;
  teamId: number | null;
  period: Period;
  from: string | null;
  to: string | null;
  /** The currency of money; null for that of most of the sites. */
  currency: string | null;
}

/** Reads the query of an address. What is not valid is left out. */
export function readCombinedView(query: SearchParams): CombinedView {
  const text = (name: string) => (typeof query[name] === "string" ? query[name] : "");
  const { period, from, to } = readView(query);
  const siteIds = [...new Set(text("sites").split(",").filter(isId).map(Number))];
  const tag = tagName.safeParse(text("tag")).data?.toLowerCase() ?? null;
  const teamId = isId(text("team")) ? Number(text("team")) : null;
  const shown = { period, from, to, currency: reportingCurrency.safeParse(text("currency")).data ?? null };
  if (siteIds.length > 0) return { siteIds, tag: null, teamId: null, ...shown };
  return { siteIds: null, tag, teamId, ...shown };
}

const isId = (text: string): boolean => /^[1-9]\d{0,8}$/.test(text);

/** Returns the input of the operation. */
export const combinedInput = ({
  siteIds,
  tag,
  teamId,
  period,
  from,
  to,
  currency,
}: CombinedView): z.input<(typeof sitesCombined)["input"]> => ({
  site_ids: siteIds,
  tag,
  team_id: teamId,
  ...(from ? { from, to } : { period }),
  compare: "previous_period",
  currency,
});

/** Returns the search parameters that say which sites, and in which currency. */
export const chosenParams = ({
  siteIds,
  tag,
  teamId,
  currency,
}: Pick<CombinedView, "siteIds" | "tag" | "teamId" | "currency">): Params => ({
  ...(siteIds && { sites: siteIds.join(",") }),
  ...(tag && { tag }),
  ...(teamId && { team: `${teamId}` }),
  ...(currency && { currency }),
});

/** Returns the search parameters that say which days, without what is the default. */
export function rangeParams({ period, from, to }: Pick<CombinedView, "period" | "from" | "to">): Params {
  if (from && to) return { from, to };
  return period === "28d" ? {} : { period };
}

type Params = Record<string, string>;

/** Returns the address of a view. */
export const combinedUrl = (view: CombinedView): string =>
  addressOf("/sites/combined", { ...chosenParams(view), ...rangeParams(view) });
