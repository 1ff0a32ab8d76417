import { added, asSent } from "@/lib/analytics/money/amounts";
import { ratesFor } from "@/lib/analytics/money/rates";
import { salesTable, unconvertedSql } from "@/lib/analytics/money/sales";
import type { Goal } from "@/lib/analytics/query/goals";
import type { Sums } from "@/lib/analytics/query/metrics";
import { queryCopy, type Scope } from "@/lib/analytics/query/scope";
import {
  NO_OUTCOMES,
  type OutcomeQuestion,
  type OutcomeSums,
  outcomeFields,
  outcomesIn,
  outcomesOf,
  siteOutcomes,
} from "@/lib/analytics/reports/outcomes";
import { type Money, optionalParam, reportingCurrency } from "@/lib/contract/fields";
import { OUTCOMES, type Outcome } from "@/lib/contract/vocabulary";

/** What the visits of several sites led to, added up in one currency. */

/** In answers, those of `SUMMED_OUTCOMES`. */
const { conversion_value: _, ...OF_SITES } = outcomeFields;
export const summedOutcomeFields = OF_SITES;

/** What some visits of a site led to. */
export interface Led {
  asked: readonly Outcome[];
  sums: OutcomeSums;
  /** Those among whom the conversions are: of a site without goals, none. */
  visitors: number;
}

export const NOTHING_LED: Led = { asked: [], sums: NO_OUTCOMES, visitors: 0 };

/** Returns what visits led to by the sums of a question; without a question, nothing. */
export const ledTo = (question: OutcomeQuestion | null, sums: OutcomeSums | undefined, visitors: number): Led => ({
  asked: question?.asked ?? [],
  sums: sums ?? NO_OUTCOMES,
  visitors: question?.converts ? visitors : 0,
});

/** Returns what all visits of a scope led to. @param counted the sums of the scope */
export async function ledIn(
  scope: Scope,
  goals: readonly Goal[],
  counted: Promise<Pick<Sums, "visitors">>,
): Promise<Led> {
  const question = await siteOutcomes(scope, goals);
  const [sums, { visitors }] = await Promise.all([question ? outcomesIn(question) : undefined, counted]);
  return ledTo(question, sums, visitors);
}

/** Returns the sums of several; an outcome that only some have is of those. */
export function addLed(parts: readonly Led[]): Led {
  const count = (of: (sums: OutcomeSums) => number) => parts.reduce((all, { sums }) => all + of(sums), 0);
  const money = (of: (sums: OutcomeSums) => string | null) => added(parts.map(({ sums }) => of(sums)));
  const asked = new Set(parts.flatMap((part) => part.asked));
  return {
    asked: (Object.keys(OUTCOMES) as Outcome[]).filter((outcome) => asked.has(outcome)),
    sums: {
      conversions: count((sums) => sums.conversions),
      converters: count((sums) => sums.converters),
      worth: money((sums) => sums.worth),
      sales: count((sums) => sums.sales),
      orders: count((sums) => sums.orders),
      priced: count((sums) => sums.priced),
      revenue: money((sums) => sums.revenue),
      paid: money((sums) => sums.paid),
    },
    visitors: parts.reduce((all, { visitors }) => all + visitors, 0),
  };
}

/** The outcomes that have been asked for, as numbers; the others are left out. */
export function outcomesLed({ asked, sums, visitors }: Led, currency: string): Partial<Record<Outcome, number | null>> {
  const all = outcomesOf(sums, { visitors }, currency);
  return Object.fromEntries(asked.map((outcome) => [outcome, all[outcome]]));
}

/** The input for the currency of their sum; without it, `commonCurrency` is. */
export const currencyOfSites = optionalParam(reportingCurrency).meta({
  description: "Currency of all revenue; default that of most of these sites. Each site's own rates convert it",
});

/** The currency of most of these sites; of as many the one that the oldest site has. @param sites oldest first */
export function commonCurrency(sites: readonly { reporting_currency: string }[]): string {
  const counts = new Map<string, number>();
  for (const { reporting_currency: code } of sites) counts.set(code, (counts.get(code) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0] ?? "EUR";
}

/** The money of a scope that no exchange rate of its day converts, by its currency. */
export async function unconvertedIn(scope: Scope): Promise<{ currency: string; amount: string }[]> {
  const rates = await ratesFor(scope);
  const [, found] = await queryCopy<[unknown[], { currency: string; amount: string }[]]>(
    scope,
    salesTable(scope),
    unconvertedSql(scope, rates),
  );
  return found;
}

/** Returns the money of several sites by its currency. */
export function addMoney(rows: readonly { currency: string; amount: string }[]): Money[] {
  const codes = [...new Set(rows.map(({ currency }) => currency))].sort();
  return codes.map((code) =>
    asSent(added(rows.filter(({ currency }) => currency === code).map(({ amount }) => amount)) ?? "0", code),
  );
}
