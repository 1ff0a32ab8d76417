import { z } from "zod";
import { visitConverts } from "@/lib/analytics/query/conversions";
import { ROBOT_DIMENSIONS } from "@/lib/analytics/query/dimensions";
import { filtersOf } from "@/lib/analytics/query/filters";
import { conversionBasis, convertingGoals } from "@/lib/analytics/query/goals";
import { type Scope, scopeOf } from "@/lib/analytics/query/scope";
import { type AgentRow, type Readings, readingsAndPages, readingsOf } from "@/lib/analytics/reports/ai";
import { type Brought, ofChannel, type Referred, referredOf } from "@/lib/analytics/reports/referred";
import { CHANNELS } from "@/lib/analytics/reports/seo";
import { seriesOf, seriesShape, trendOf, visitsByReferrer, visitsInBuckets } from "@/lib/analytics/reports/trend";
import { visitNumbers, visitNumbersShape } from "@/lib/analytics/reports/visit-numbers";
import { defineOperation } from "@/lib/contract/define";
import {
  about,
  answeredGoal,
  chosenGoal,
  euros,
  metaShape,
  moneyShape,
  reportFields,
  unconverted,
  untrusted,
} from "@/lib/contract/fields";
import { PURPOSES } from "@/lib/ingest/event/verdict";

const MAX_ROWS = 100;
const MAX_LANDINGS = 5;

const time = (description: string) => about(z.iso.datetime(), description, "2026-11-20T09:30:00.000Z");
const reads = about(z.int(), "Page views that no error answered; a page view of unknown status is a read", 40);
const errors = about(z.int(), "Page views that were answered with a status of 400 or more", 2);
const visits = z.int().meta({ examples: [12] });
const page = untrusted.nullable().meta({ examples: ["/pricing"] });
const purpose = about(
  z.string().nullable(),
  `What the agent reads pages for: ${Object.keys(PURPOSES).join(", ")}; see /docs/metrics`,
  "training",
);

const totals = {
  agents: about(z.int(), "Agents with a page view", 3),
  reads,
  errors,
  pages: about(z.int(), "Distinct pages that were read", 9),
  visits,
};
const counted = { reads, errors, visits };
const brought = { ...visitNumbersShape, revenue: about(moneyShape, "Revenue of these visits", euros("49.00")) };

export default defineOperation({
  id: "analytics.ai",
  title: "AI traffic",
  about:
    "What AI agents and search engines read and why, pages that none of them has read, errors they got, and visits that AI assistants sent. Filters bot, bot_operator and bot_purpose choose agents and leave people alone; traffic ai or bot leaves one class.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({
    ...reportFields,
    goal: chosenGoal("Name of a goal or event; conversions are those of this one"),
    traffic: reportFields.traffic.meta({
      description:
        "ai or bot leaves the agents of this class; human, all or nothing leaves both, spam and suspicious none. People are counted anyway",
    }),
  }),
  example: { site_id: 1, period: "28d" },
  output: z.object({
    meta: metaShape,
    totals: z.object({
      ai: z.object(totals).meta({ description: "Agents of AI products: the traffic class `ai`" }),
      search_engines: z
        .object(totals)
        .meta({ description: "Robots of the traffic class `bot` that collect pages for a search engine" }),
    }),
    purposes: z
      .array(z.object({ purpose, reads, errors }))
      .meta({ description: "AI agents by purpose, most reads first" }),
    agents: z
      .array(
        z.object({
          agent: untrusted.nullable().meta({ examples: ["GPTBot"] }),
          operator: z
            .string()
            .nullable()
            .meta({ examples: ["OpenAI"] }),
          purpose,
          traffic: z.enum(["ai", "bot"]),
          ...counted,
          pages: totals.pages,
          last_seen: time("Its last page view in the range"),
          verification: z
            .object({
              verified: about(z.int(), "From an address that the operator publishes", 10),
              claimed: about(z.int(), "Without published addresses to compare with", 0),
              spoofed: about(z.int(), "From any other address", 2),
            })
            .meta({ description: "Its visits by whether the address is one of its operator" }),
          verified_share: about(z.number().nullable(), "Verified visits, of those with published addresses", 0.83),
          trend: about(z.array(z.int()), "Reads in each bucket of `series`", [3, 5]),
        }),
      )
      .meta({ description: "AI agents and search engines, most reads first" }),
    pages: z
      .array(
        z.object({
          page,
          reads,
          purposes: z.array(z.object({ purpose, reads })),
          agents: totals.agents,
          last_read: time("When it was last read in the range"),
          statuses: about(
            z
              .object({
                "2xx": z.int(),
                "3xx": z.int(),
                "4xx": z.int(),
                "5xx": z.int(),
                unknown: z.int(),
              })
              .nullable(),
            "Requests of agents by the class of the HTTP status; null where no status is known",
            { "2xx": 38, "3xx": 2, "4xx": 0, "5xx": 0, unknown: 0 },
          ),
        }),
      )
      .meta({ description: "Pages that agents read, most reads first" }),
    unread: z
      .array(
        z.object({
          page: untrusted.meta({ examples: ["/contact"] }),
          pageviews: about(z.int(), "Page views of people", 120),
          visitors: z.int().meta({ examples: [96] }),
        }),
      )
      .nullable()
      .meta({
        description:
          "Pages that people saw and none of the agents has read in the range, most page views first; null while no request of any agent is known in the range",
      }),
    errors: z
      .array(
        z.object({
          page,
          status: z.int().meta({ examples: [404] }),
          requests: z.int().meta({ examples: [2] }),
          agents: about(z.array(untrusted), "The first ten by name", ["GPTBot"]),
          last_seen: time("When it was last answered so in the range"),
        }),
      )
      .meta({ description: "Pages that answered agents with a status of 400 or more, most requests first" }),
    referred: z
      .object({
        ...brought,
        sources: z.array(
          z.object({
            source: untrusted.nullable().meta({ examples: ["ChatGPT"] }),
            ...brought,
            landing_pages: about(z.array(z.object({ page, visits })), `The first ${MAX_LANDINGS} by visits`, [
              { page: "/pricing", visits: 9 },
            ]),
          }),
        ),
      })
      .meta({ description: "Visits of people that AI assistants sent: the channel AI assistants" }),
    goal: answeredGoal,
    unconverted,
    comparison: z
      .object({
        totals: z.object({ ai: z.object(totals), search_engines: z.object(totals) }),
        agents: z
          .array(z.object(counted).nullable())
          .meta({ description: "One row for each row of `agents`, null if it was not seen" }),
        referred: z.object(brought),
      })
      .nullable(),
    series: seriesShape(
      {
        purposes: about(
          z.array(z.object({ purpose, reads: z.int() })),
          "Reads of AI agents, for each purpose of `purposes`",
          [{ purpose: "training", reads: 3 }],
        ),
        agents: about(z.int(), "Distinct AI agents", 2),
        errors: about(z.int(), "Page views of AI agents that were answered with a status of 400 or more", 0),
        search_engines: about(z.int(), "Reads of search engines", 5),
        referred: about(z.int(), "Visits that AI assistants sent", 1),
        referred_conversions: about(z.int(), "Of these, visits with a conversion", 0),
      },
      "The range in buckets",
    ),
  }),

  async run({ input, site, now }) {
    const { scope, before, conditions, meta } = await scopeOf(input, site, now);
    const ofPeople = await filtersOf(
      site.id,
      conditions.filter(({ on }) => !("dimension" in on && ROBOT_DIMENSIONS.has(on.dimension))),
    );
    const peopleOf = (of: Scope): Scope => ({ ...of, traffic: "human", filters: ofPeople });
    const goals = await convertingGoals(site.id, input.goal ?? null);
    const trend = trendOf(scope, now);
    const assisted = ofChannel(peopleOf(scope), CHANNELS.assistants);
    const limits = { sources: MAX_ROWS + 1, landings: MAX_LANDINGS };
    const [found, referred, sent, converted, earlier, earlierReferred] = await Promise.all([
      readingsAndPages(scope, peopleOf(scope), trend, MAX_ROWS + 1),
      referredOf(peopleOf(scope), CHANNELS.assistants, goals, limits),
      visitsByReferrer(assisted, trend, ["source"]),
      visitsByReferrer(assisted, trend, ["source"], visitConverts(assisted, goals)),
      before && readingsOf(before, trendOf(before, now)),
      before && referredOf(peopleOf(before), CHANNELS.assistants, goals, { sources: 1, landings: 1 }),
    ]);
    const lists = [found.agents, found.pages, found.errors, found.unread ?? [], referred.sources];
    const agents = found.agents.slice(0, MAX_ROWS);
    const [referredTrend, convertedTrend] = [visitsInBuckets(trend, sent), visitsInBuckets(trend, converted)];
    return {
      meta: {
        ...meta,
        conversion_unit: "visits" as const,
        interval: trend.interval,
        row_limit: MAX_ROWS,
        truncated: lists.some(({ length }) => length > MAX_ROWS),
      },
      totals: totalsOf(found),
      purposes: found.purposes.map(({ trend: _, ...row }) => row),
      agents: agents.map(agentOf),
      pages: found.pages.slice(0, MAX_ROWS).map(({ last, status, ...row }) => ({
        ...row,
        last_read: timeOf(last),
        statuses: status,
      })),
      unread: found.unread?.slice(0, MAX_ROWS) ?? null,
      errors: found.errors.slice(0, MAX_ROWS).map(({ last, ...row }) => ({ ...row, last_seen: timeOf(last) })),
      referred: {
        ...broughtOf(referred.total, scope),
        sources: referred.sources.slice(0, MAX_ROWS).map(({ source, landings, ...row }) => ({
          source,
          ...broughtOf(row, scope),
          landing_pages: landings,
        })),
      },
      goal: conversionBasis(goals, input.goal ?? null).goal,
      unconverted: referred.unconverted,
      comparison: before && earlier && earlierReferred && comparisonOf(agents, earlier, earlierReferred, before),
      series: seriesOf(trend, (bucket) => ({
        purposes: found.purposes.map((row) => ({ purpose: row.purpose, reads: row.trend[bucket] ?? 0 })),
        agents: found.agentTrend[bucket] ?? 0,
        errors: found.errorTrend[bucket] ?? 0,
        search_engines: found.searchTrend[bucket] ?? 0,
        referred: referredTrend[bucket] ?? 0,
        referred_conversions: convertedTrend[bucket] ?? 0,
      })),
    };
  },
});

const timeOf = (at: number): string => new Date(at).toISOString();

const totalsOf = ({ totals: { ai, bot } }: Readings) => ({ ai, search_engines: bot });

function agentOf({ verified, claimed, spoofed, last, trend, ...row }: AgentRow) {
  const known = verified + spoofed;
  return {
    ...row,
    last_seen: timeOf(last),
    verification: { verified, claimed, spoofed },
    verified_share: known > 0 ? verified / known : null,
    trend,
  };
}

const broughtOf = (row: Brought, { currency }: Scope) => ({
  ...visitNumbers(row),
  revenue: { amount: row.revenue, currency },
});

function comparisonOf(agents: readonly AgentRow[], earlier: Readings, referred: Referred, before: Scope) {
  return {
    totals: totalsOf(earlier),
    agents: agents.map(({ agent, traffic }) => {
      const found = earlier.agents.find((row) => row.agent === agent && row.traffic === traffic);
      return found ? { reads: found.reads, errors: found.errors, visits: found.visits } : null;
    }),
    referred: broughtOf(referred.total, before),
  };
}
