import type { QueryContext } from "@/app/_dashboard/queries";
import type { WhatChangedAnswer } from "@/components/reports/answers";
import { paramsOf } from "@/components/reports/filters";
import { readView, reportInput } from "@/components/reports/view";
import analyticsChanges from "@/lib/operations/analytics.changes";

/** As many as the card has room for. */
const LINES = 3;

/** The values that explain how visits or conversions of the chosen goal changed, for the view of a URL. @throws Refusal */
export async function changesFromQuery(
  { as, siteId, now }: QueryContext,
  searchParams: URLSearchParams,
): Promise<WhatChangedAnswer> {
  const view = readView(paramsOf(searchParams));
  const explained = view.goal === null ? {} : { metric: "conversions" as const, goal: view.goal };
  const input = { ...reportInput(siteId, view), ...explained, limit: 1 };
  const { total, findings } = (await as(analyticsChanges, { input, now })).data;
  return {
    total: total.sentence,
    findings: findings.slice(0, LINES).map(({ dimension, value, effect, sentence }) => {
      const up = (effect ?? 0) > 0;
      return { dimension, value, text: sentence, up, isBetter: up };
    }),
  };
}
