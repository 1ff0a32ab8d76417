import { notFound } from "next/navigation";
import { cache } from "react";
import { answer } from "@/app/_dashboard/answer";
import type { Asking } from "@/app/_dashboard/ask";
import { addressOfBrowser } from "@/app/browser-address";
import { FILTER_FIELDS } from "@/components/reports/filter-fields";
import { type Filter, paramsOf, readFilters } from "@/components/reports/filters";
import { Refusal } from "@/lib/contract/errors";
import { countedAddress } from "@/lib/counted-address";
import { type Ask, askAsAnyone } from "@/lib/gateway/execute";
import { takeRate } from "@/lib/gateway/rate";
import { type SharedSite, sharedSite } from "@/lib/sites/shared";

/** What the panels of a public dashboard list; it can be narrowed by these, and by nothing that they do not show. */
const SHOWN = [
  ...["page", "entry_page", "exit_page", "source", "channel"],
  ...["country", "region", "city", "device", "browser", "os"],
];
const QUESTIONS_A_MINUTE = 300;

export const SHARED_FIELDS = FILTER_FIELDS.filter(({ value }) => SHOWN.includes(value));

/** The public site of an address, asked for once for all the parts of a page; null where there is none. */
export const siteAt = cache(async (segment: string): Promise<SharedSite | null> => sharedSite(decoded(segment)));

/** Pages get a segment as it stands in the address, routes get it decoded. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The same for pages; without a site they are not found. */
export const siteAtOrNotFound = async (segment: string): Promise<SharedSite> => (await siteAt(segment)) ?? notFound();

/**
 * Asks for the numbers of a public site, as far as its dashboard shows them, and as often as somebody presses.
 *
 * @param filters what the address narrows to, which is anybody's: patterns that have to be tried on every value are not.
 */
export const askShared =
  (filters: readonly Filter[] | null): Ask =>
  async (op, call) => {
    const { segment, dimensions, field } = call.input as Record<string, unknown>;
    const named = [...(filters ?? []).map(({ key }) => key), dimensions, field].filter((name) => name !== undefined);
    const isPattern = filters?.some(({ operator }) => operator === "matches");
    if (segment || isPattern || named.some((name) => !SHOWN.includes(String(name)))) {
      throw new Refusal("invalid_input", "A public dashboard shows only what its panels list; take this filter away.");
    }
    await countQuestion(call.now);
    return askAsAnyone(op, call);
  };

async function countQuestion(now: Date): Promise<void> {
  const address = await addressOfBrowser();
  const rate = await takeRate(`share:${countedAddress(address)}`, QUESTIONS_A_MINUTE, 60_000, now);
  if (rate.allowed) return;
  throw new Refusal("rate_limited", `Too many questions from your address; go on in ${rate.retryAfter} seconds.`);
}

/** Answers in JSON what a public dashboard asks for in the background. */
export const answerAnyone = (
  request: Request,
  params: Promise<{ domain: string }>,
  work: (asking: Asking, address: URLSearchParams) => Promise<object>,
) =>
  answer(async () => {
    const { site_id: siteId } = await siteOf(params);
    const address = new URL(request.url).searchParams;
    const ask = askShared(readFilters(paramsOf(address)));
    const as: Ask = (op, call) => ask(op, { ...call, gone: request.signal });
    return work({ as, siteId, now: new Date() }, address);
  });

/** @throws Refusal `not_found` */
export async function siteOf(params: Promise<{ domain: string }>): Promise<SharedSite> {
  const site = await siteAt((await params).domain);
  if (!site) throw new Refusal("not_found", "There is no such public site.");
  return site;
}
