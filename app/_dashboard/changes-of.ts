import type { QueryContext } from "@/app/_dashboard/queries";
import type { WhatChangedAnswer } from "@/components/reports/answers";
import { findingSentence, totalSentence } from "@/components/reports/changes/says";
import { paramsOf } from "@/components/reports/filters";
import { readView, reportInput } from "@/components/reports/view";
import analyticsChanges from "@/lib/operations/analytics.changes";

/** As many as the card has room for. */
const LINES = 3;

/** The values that explain how visits changed, for the view of a URL. @throws Refusal */
export async function changesFromQuery(
  { as, siteId, now }: QueryContext,
  searchParams: URLSearchParams,
): Promise<WhatChangedAnswer> {
  const input = { ...reportInput(siteId, readView(paramsOf(searchParams))), limit: 1 };
  const changes = (await as(analyticsChanges, { input, now })).data;
  return {
    total: totalSentence(changes),
    findings: changes.findings.slice(0, LINES).map((finding) => {
      const { dimension, value, effect } = finding;
      const up = (effect ?? 0) > 0;
      return { dimension, value, text: findingSentence(changes, finding), up, isBetter: up };
    }),
  };
}
