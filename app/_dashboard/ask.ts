import type { Chart, Overview } from "@/components/reports/answers";
import { questionOf, type View } from "@/components/reports/view";
import { type Issue, Refusal } from "@/lib/contract/errors";
import type { Ask } from "@/lib/gateway/execute";
import analyticsChart from "@/lib/operations/analytics.chart";
import analyticsOverview from "@/lib/operations/analytics.overview";

/** An answer, or the sentence of a refusal the person can mend (a range that is too long, say). */
export type Asked<T> = { ok: true; answer: T } | { ok: false; message: string };

/** Who asks about which site, and when. */
export interface Asking {
  as: Ask;
  siteId: number;
  now: Date;
}

export interface Answers {
  overview: Promise<Asked<Overview>>;
  chart: Promise<Asked<Chart>>;
}

/** Asks both questions of the dashboard at once; each part of the page waits only for its own. */
export function ask(as: Ask, siteId: number, view: View, now: Date): Answers {
  const input = questionOf(siteId, view);
  const overview = settle(as(analyticsOverview, { input, now }));
  const chart = settle(as(analyticsChart, { input: { ...input, interval: view.interval }, now }));
  // A page that leads elsewhere instead waits for neither.
  for (const asked of [overview, chart]) asked.catch(() => {});
  return { overview, chart };
}

/** Lets a page go on with the sentence of a refusal. */
export async function settle<T>(asked: Promise<{ data: T }>): Promise<Asked<T>> {
  try {
    return { ok: true, answer: (await asked).data };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, message: sentenceOf(error) };
    throw error;
  }
}

const FIELDS: Record<string, string> = { from: "The first day", to: "The last day", interval: "The interval" };

function sentenceOf(refusal: Refusal): string {
  const issue = (refusal.details?.issues as Issue[] | undefined)?.[0];
  const noSegment = refusal.code === "not_found" && refusal.message.startsWith("The site has no segment");
  if (issue?.path === "segment" || noSegment) return "The site has no such segment (any more).";
  if (issue?.path.startsWith("filters")) return faultOfFilters(issue);
  const field = issue && FIELDS[issue.path];
  return field ? `${field} ${issue.message}.` : refusal.message;
}

/** What is wrong with the filters of an address that somebody wrote by hand, or that an older version made. */
function faultOfFilters({ path, message }: Issue): string {
  const what = path.slice("filters.".length);
  // Agents are told what there is instead; here a dialog offers it.
  if (what) return `The filter “${what}” ${message.split(";")[0]}.`;
  return message.startsWith("is ") ? "The filters in this address cannot be read." : `This address ${message}.`;
}
