import { z } from "zod";
import {
  type ChannelInput,
  channelInput,
  channelShape,
  describeChannel,
  isChat,
  sealedUrl,
} from "@/lib/alerts/channels";
import { UNUSUAL } from "@/lib/alerts/judge-value";
import { isOfGoals, measures } from "@/lib/alerts/measure";
import { about, chosenGoal, integerId, optionalParam, siteId, untrusted } from "@/lib/contract/fields";
import type { Measure } from "@/lib/contract/vocabulary";
import type { SiteWork } from "@/lib/gateway/changes/site-revision";
import type { Db, Prisma } from "@/lib/platform/db";
import { invalidInput, Refusal } from "@/lib/platform/errors";
import { confirmedAmong } from "@/lib/sites/reports/recipients";
import { changedId, creatorId, filtersShape, savedFilters, savedName } from "@/lib/sites/saved/save";

/** Alert rules of a site: a metric, revenue or conversions with filters, a condition, and where alerts go. */

const MAX_RULES = 20;
const MAX_CHANNELS = 10;
const LISTED = 50;

export const ruleId = integerId("must be the id of an alert rule, from sites.alerts.list").meta({ examples: [2] });

const CONDITIONS = ["above", "below", "unusual"] as const;
const HOURS = "must be a whole number from 1 to 168";

export const ruleInput = z.strictObject({
  site_id: siteId,
  id: changedId(ruleId),
  name: savedName(100),
  metric: z.enum(measures, `must be one of ${measures.join(", ")}`),
  goal: chosenGoal("With conversions, their rate or value: name of a goal or event; any goal by default"),
  filters: optionalParam(savedFilters),
  segment: optionalParam(z.uuid("must be the id of a segment, a UUID")).meta({
    description: "Id of a segment, combined with `filters` by AND",
  }),
  condition: z.enum(CONDITIONS, `must be one of ${CONDITIONS.join(", ")}`).meta({
    description: `above or below \`threshold\`, or unusual: ${UNUSUAL}`,
  }),
  threshold: optionalParam(
    z.number("must be a number").min(0, "must be 0 or more").max(1e12, "must be at most 1000000000000"),
  ).meta({
    description: "For above and below, in the unit of the metric: seconds, 0.5 for 50%, and the currency of the site",
  }),
  span: z.enum(["hour", "day"], "must be hour or day").meta({
    description: "A full hour or local day. What is above a threshold of a count fires as soon as it is",
  }),
  cooldown_hours: optionalParam(z.int(HOURS).min(1, HOURS).max(168, HOURS)).meta({
    description: "Hours after an alert in which the rule fires no other; 24 by default",
  }),
  channels: z
    .array(channelInput, "must be a list of channels")
    .max(MAX_CHANNELS, `must have at most ${MAX_CHANNELS} channels`),
});
export type RuleInput = z.output<typeof ruleInput>;

export const ruleShape = z
  .object({
    id: ruleId,
    name: untrusted.meta({ examples: ["Signups stopped"] }),
    metric: z.enum(measures),
    goal: about(
      untrusted.nullable(),
      "The goal or event that converts; null for any goal, and for other metrics",
      null,
    ),
    filters: filtersShape,
    segment: z.string().nullable(),
    condition: z.enum(CONDITIONS),
    threshold: about(z.number().nullable(), "Null for unusual", 1),
    span: z.enum(["hour", "day"]),
    cooldown_hours: about(z.int(), "Hours after an alert in which the rule fires no other", 24),
    channels: z.array(channelShape),
    problem: z
      .string()
      .nullable()
      .meta({ description: "Why it cannot be judged; null if it can", examples: [null] }),
    judged_until: z.iso.datetime().nullable().meta({ description: "End of the last full hour or day that was judged" }),
    fired_at: z.iso.datetime().nullable().meta({ description: "When it fired last; null if never" }),
    created_by: creatorId,
  })
  .meta({ id: "AlertRule" });

/** An alert in API responses. */
export const alertShape = z
  .object({
    rule_id: ruleId,
    name: untrusted.meta({ examples: ["Signups stopped"] }),
    start: z.iso.datetime().meta({ description: "Start of the hour or day" }),
    end: z.iso.datetime(),
    value: about(z.number(), "The metric when it fired", 0),
    seen: about(z.string(), "What was seen, as a sentence", "0 events on 19 November 2026; the limit is 1."),
    fired_at: z.iso.datetime(),
  })
  .meta({ id: "Alert" });

const WITH_CHANNELS = { channels: { orderBy: { id: "asc" as const } } };
export type RuleRow = Prisma.AlertRuleGetPayload<{ include: { channels: true } }>;

/** Lists the rules of a site by name. */
export const listRules = (on: Db, siteId: number): Promise<RuleRow[]> =>
  on.alertRule.findMany({ where: { siteId }, include: WITH_CHANNELS, orderBy: { name: "asc" } });

export const describeRule = (row: RuleRow, showsEmails: boolean): z.input<typeof ruleShape> => ({
  id: row.id,
  name: row.name,
  metric: row.metric as Measure,
  goal: row.goal,
  filters: row.filters as Prisma.JsonObject,
  segment: row.segment,
  condition: row.condition,
  threshold: row.threshold,
  span: row.span,
  cooldown_hours: row.cooldownHours,
  channels: row.channels.map((channel) => describeChannel(channel, showsEmails)),
  problem: row.problem,
  judged_until: row.judgedUntil?.toISOString() ?? null,
  fired_at: row.firedAt?.toISOString() ?? null,
  created_by: row.createdById,
});

/** Lists the latest alerts of a site, newest first. @param range only those of hours and days that overlap it */
export async function listAlerts(
  on: Db,
  siteId: number,
  range?: { start: Date; end: Date },
): Promise<z.input<typeof alertShape>[]> {
  const rows = await on.alert.findMany({
    where: { siteId, ...(range && { startAt: { lt: range.end }, endAt: { gt: range.start } }) },
    include: { rule: { select: { name: true } } },
    orderBy: [{ firedAt: "desc" }, { id: "desc" }],
    take: LISTED,
  });
  return rows.map(({ ruleId: rule_id, rule, startAt, endAt, value, seen, firedAt }) => ({
    rule_id,
    name: rule.name,
    start: startAt.toISOString(),
    end: endAt.toISOString(),
    value,
    seen,
    fired_at: firedAt.toISOString(),
  }));
}

/** Returns a rule of a site. @throws Refusal `not_found` */
export async function requireRule(on: Db, siteId: number, id: number): Promise<RuleRow> {
  const row = await on.alertRule.findFirst({ where: { siteId, id }, include: WITH_CHANNELS });
  if (!row) throw new Refusal("not_found", "The site has no alert rule with this id. sites.alerts.list lists them.");
  return row;
}

/**
 * Creates a rule, or changes the one with `id`.
 *
 * @throws Refusal `not_found`, and `invalid_input` for an address that has not confirmed, a missing webhook, a name that
 *   is taken, or beyond the limit
 */
export async function saveRule({ db: tx, site, principal, now }: SiteWork, input: RuleInput): Promise<RuleRow> {
  const { id, name, metric, condition, span, segment } = input;
  const goal = input.goal || null;
  if (goal && !isOfGoals(metric)) {
    throw invalidInput([
      { path: "goal", message: "goes with conversions, conversion_rate and conversion_value only; leave it out" },
    ]);
  }
  const threshold = thresholdOf(input);
  const known = id ? await requireRule(tx, site.id, id) : null;
  if (!known && (await tx.alertRule.count({ where: { siteId: site.id } })) >= MAX_RULES) {
    throw invalidInput([
      { path: "name", message: `exceeds the limit of ${MAX_RULES} rules per site; delete one first` },
    ]);
  }
  const taken = await tx.alertRule.findUnique({ where: { siteId_name: { siteId: site.id, name } } });
  if (taken && taken.id !== id) {
    throw invalidInput([
      { path: "name", message: "is already the name of another rule of the site; choose another name" },
    ]);
  }
  if (segment && (await tx.segment.count({ where: { siteId: site.id, id: segment } })) === 0) {
    throw invalidInput([{ path: "segment", message: "is no segment of the site; sites.segments.list lists them" }]);
  }
  await checkChannels(tx, site.id, input.channels, known);
  const row = {
    name,
    metric,
    goal,
    filters: (input.filters ?? {}) as Prisma.InputJsonObject,
    segment: segment ?? null,
    condition,
    threshold,
    span,
    cooldownHours: input.cooldown_hours ?? known?.cooldownHours ?? 24,
    problem: null,
    updatedAt: now,
  };
  const saved = known
    ? await tx.alertRule.update({ where: { id: known.id }, data: row })
    : await tx.alertRule.create({ data: { ...row, siteId: site.id, createdById: principal.personId, createdAt: now } });
  await setChannels(tx, saved.id, input.channels, known);
  return requireRule(tx, site.id, saved.id);
}

function thresholdOf({ condition, threshold }: RuleInput): number | null {
  const given = threshold ?? null;
  if (condition === "unusual" && given !== null) {
    throw invalidInput([{ path: "threshold", message: "goes with above and below only; leave it out" }]);
  }
  if (condition !== "unusual" && given === null) {
    throw invalidInput([{ path: "threshold", message: `is required for ${condition}` }]);
  }
  return given;
}

async function checkChannels(
  tx: Db,
  siteId: number,
  channels: readonly ChannelInput[],
  known: RuleRow | null,
): Promise<void> {
  const confirmed = await confirmedAmong(
    tx,
    siteId,
    channels.flatMap(({ email }) => email ?? []),
  );
  const hasWebhook = (await tx.webhook.count({ where: { siteId } })) > 0;
  const issues = channels.flatMap(({ kind, email, channel_id }, index) => {
    const fault = (field: string, message: string) => [{ path: `channels.${index}.${field}`, message }];
    if (email && !confirmed.has(email)) {
      return fault(
        "email",
        "has not confirmed; add it with sites.reports.recipients.add, and its owner opens the link in the email",
      );
    }
    if (kind === "webhook" && !hasWebhook)
      return fault("kind", "needs a webhook of the site; set it with sites.webhooks.set");
    if (channel_id && !known?.channels.some((one) => one.id === channel_id && one.kind === kind)) {
      return fault("channel_id", "is no channel of this kind of the rule; give url instead");
    }
    return [];
  });
  if (issues.length > 0) throw invalidInput(issues);
}

/** Channels that stay keep their rows, so that links to unsubscribe and addresses of chats stay too. */
async function setChannels(
  tx: Db,
  ruleId: number,
  channels: readonly ChannelInput[],
  known: RuleRow | null,
): Promise<void> {
  const rows = known?.channels ?? [];
  const stays = (row: RuleRow["channels"][number]) =>
    channels.some(
      ({ kind, email, channel_id }) =>
        kind === row.kind && (isChat(kind) ? channel_id === row.id : (email ?? null) === row.email),
    );
  const gone = rows.filter((row) => !stays(row)).map(({ id }) => id);
  await tx.alertChannel.deleteMany({ where: { id: { in: gone } } });
  const left = rows.filter(stays);
  const added = channels.filter(
    ({ kind, email, channel_id }, index) =>
      !channel_id &&
      (isChat(kind) || !left.some((row) => row.kind === kind && row.email === (email ?? null))) &&
      (isChat(kind) || channels.findIndex((one) => one.kind === kind && one.email === email) === index),
  );
  for (const { kind, email, url } of added) {
    await tx.alertChannel.create({ data: { ruleId, kind, email: email ?? null, ...(url && sealedUrl(url, ruleId)) } });
  }
}

/** Deletes a rule with its alerts. @returns the deleted rule @throws Refusal `not_found` */
export async function deleteRule({ db: tx, site }: SiteWork, id: number): Promise<RuleRow> {
  const row = await requireRule(tx, site.id, id);
  await tx.alertRule.delete({ where: { id } });
  return row;
}
