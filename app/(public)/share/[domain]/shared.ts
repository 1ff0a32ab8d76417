import { notFound } from "next/navigation";
import { cache } from "react";
import { answer } from "@/app/(owner)/sites/[siteId]/answer";
import { FILTER_FIELDS } from "@/components/reports/filter-fields";
import { Refusal } from "@/lib/contract/errors";
import { type Ask, askAsAnyone } from "@/lib/gateway/execute";
import { type SharedSite, sharedSite } from "@/lib/sites/shared";

/** What the panels of a public dashboard list; it can be narrowed by these, and by nothing that they do not show. */
const SHOWN = [
  ...["page", "entry_page", "exit_page", "source", "channel"],
  ...["country", "region", "city", "device", "browser", "os"],
];

export const SHARED_FIELDS = FILTER_FIELDS.filter(({ value }) => SHOWN.includes(value));

/** The public site of an address, asked for once for all the parts of a page; null where there is none. */
export const siteAt = cache((segment: string) => sharedSite(decodeURIComponent(segment)));

/** The same for pages; without a site they are not found. */
export const siteAtOrNotFound = async (segment: string): Promise<SharedSite> => (await siteAt(segment)) ?? notFound();

/** Asks for the numbers of a public site, as far as its dashboard shows them. */
export const askShared: Ask = async (op, call) => {
  const { filters, segment, dashboard, dimensions, field } = call.input as Record<string, unknown>;
  const named = [...Object.keys(filters ?? {}), ...[dimensions, field].filter((name) => name !== undefined)];
  if (segment || dashboard || named.some((name) => !SHOWN.includes(String(name)))) {
    throw new Refusal("invalid_input", "A public dashboard shows only what its panels list; take this filter away.");
  }
  return askAsAnyone(op, call);
};

/** Answers in JSON what a public dashboard asks for in the background. */
export const answerAnyone = (params: Promise<{ domain: string }>, work: (site: SharedSite) => Promise<object>) =>
  answer(async () => {
    const site = await siteAt((await params).domain);
    if (!site) throw new Refusal("not_found", "There is no such public site.");
    return work(site);
  });
