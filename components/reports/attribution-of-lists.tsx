"use client";

import { AttributionChoice } from "@/components/reports/attribution-choice";
import { useLists } from "@/components/reports/lists";

/** The choice of the attribution, where the lists of a dashboard have conversions of a goal or revenue. */
export function AttributionOfLists({ goal }: { goal: string | null }) {
  const lists = useLists();
  const hasMoney = lists?.ok && lists.answer.currency !== null;
  return (hasMoney || goal !== null) && <AttributionChoice />;
}
