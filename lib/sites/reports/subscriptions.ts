import { z } from "zod";
import type { SiteAccess } from "@/lib/contract/define";
import { about, optionalParam, timezone } from "@/lib/contract/fields";
import { type Db, db } from "@/lib/platform/db";
import { type Cadence, movedTime, nextTime, type Schedule, USUAL_SCHEDULE } from "@/lib/sites/reports/period";

/** Subscriptions of members to email reports. */

export interface SiteSubscriptions {
  siteId: number;
  domain: string;
  name: string | null;
  cadences: Cadence[];
}

/** Lists all sites of a person, each with the reports they are subscribed to. */
export async function listSubscriptions(personId: number): Promise<SiteSubscriptions[]> {
  const rows = await db().membership.findMany({
    where: { personId },
    select: {
      siteId: true,
      reports: { select: { cadence: true }, orderBy: { cadence: "asc" } },
      site: { select: { name: true, domains: { where: { isPrimary: true }, select: { host: true } } } },
    },
    orderBy: { siteId: "asc" },
  });
  return rows.map(({ siteId, reports, site }) => ({
    siteId,
    domain: site.domains[0]?.host ?? "",
    name: site.name,
    cadences: reports.map(({ cadence }) => cadence),
  }));
}

const between = (what: string, least: number, most: number) => {
  const fault = `must be a whole number from ${least} to ${most}`;
  return optionalParam(z.int(fault).min(least, fault).max(most, fault)).meta({ description: what });
};

/** When reports are sent, as operations take it; what is left out keeps its value. */
export const scheduleFields = {
  weekday: between("Day on which weekly reports are sent, about the seven days before: 1 is Monday, the default", 1, 7),
  month_day: between("Day on which monthly reports are sent, about the calendar month before; 1 by default", 1, 28),
  hour: between("Hour at which reports are sent; 7 by default", 0, 23),
  timezone: optionalParam(
    z.union([timezone, z.literal("site")], "must be an IANA timezone such as Europe/Berlin, or site"),
  ).meta({
    description: "IANA timezone of weekday, day and hour; site, the default, for that of the site",
    examples: ["Europe/Berlin"],
  }),
};
export type ScheduleInput = z.output<z.ZodObject<typeof scheduleFields>>;

/** When reports are sent, in API responses. */
export const scheduleShape = z
  .object({
    weekday: about(z.int(), "Day of weekly reports; 1 is Monday", 1),
    month_day: about(z.int(), "Day of monthly reports", 1),
    hour: about(z.int(), "Hour of the day", 7),
    timezone: z
      .string()
      .nullable()
      .meta({ description: "IANA timezone of day and hour; null: that of the site", examples: ["Europe/Berlin"] }),
  })
  .meta({ id: "ReportSchedule" });

/** Applies what a caller gave to a schedule. */
export const withSchedule = (before: Schedule, given: ScheduleInput): Schedule => ({
  weekday: given.weekday ?? before.weekday,
  monthDay: given.month_day ?? before.monthDay,
  hour: given.hour ?? before.hour,
  timezone: given.timezone === "site" ? null : (given.timezone ?? before.timezone),
});

export const describeSchedule = ({
  weekday,
  monthDay,
  hour,
  timezone: zone,
}: Schedule): z.input<typeof scheduleShape> => ({
  weekday,
  month_day: monthDay,
  hour,
  timezone: zone,
});

/** The reports of a site that a person is subscribed to, in API responses. */
export const subscriptionsShape = z.object({
  daily: z.boolean(),
  weekly: z.boolean(),
  monthly: z.boolean(),
  schedule: scheduleShape.meta({ description: "When they are sent" }),
});

export async function describeSubscriptions(
  on: Db,
  siteId: number,
  personId: number,
): Promise<z.input<typeof subscriptionsShape>> {
  const rows = await on.reportSubscription.findMany({ where: { siteId, personId } });
  const has = (wanted: Cadence) => rows.some(({ cadence }) => cadence === wanted);
  return {
    daily: has("daily"),
    weekly: has("weekly"),
    monthly: has("monthly"),
    schedule: describeSchedule(rows[0] ?? USUAL_SCHEDULE),
  };
}

type ZonedSite = Pick<SiteAccess, "id" | "timezone">;

/** Returns when the reports of a member are sent. */
export const scheduleOf = async (on: Db, siteId: number, personId: number): Promise<Schedule> =>
  (await on.reportSubscription.findFirst({ where: { siteId, personId } })) ?? USUAL_SCHEDULE;

/** Subscribes a member to a report. Does nothing if they already are. */
export async function subscribe(
  tx: Db,
  { id: siteId, timezone: siteZone }: ZonedSite,
  personId: number,
  cadence: Cadence,
  schedule: Schedule,
  now: Date,
): Promise<void> {
  const { weekday, monthDay, hour, timezone: zone } = schedule;
  const nextAt = nextTime(cadence, schedule, siteZone, now);
  await tx.reportSubscription.createMany({
    data: [{ siteId, personId, cadence, weekday, monthDay, hour, timezone: zone, nextAt, createdAt: now }],
    skipDuplicates: true,
  });
}

/** Changes when the reports of a member are sent. */
export async function reschedule(
  tx: Db,
  { id: siteId, timezone: siteZone }: ZonedSite,
  personId: number,
  schedule: Schedule,
  now: Date,
): Promise<void> {
  const { weekday, monthDay, hour, timezone: zone } = schedule;
  for (const { cadence } of await tx.reportSubscription.findMany({ where: { siteId, personId } })) {
    await tx.reportSubscription.update({
      where: { siteId_personId_cadence: { siteId, personId, cadence } },
      data: { weekday, monthDay, hour, timezone: zone, nextAt: nextTime(cadence, schedule, siteZone, now) },
    });
  }
}

/** Moves the reports of a site that are sent in its timezone to a new one. */
export async function moveReports(tx: Db, siteId: number, from: string, to: string): Promise<void> {
  if (from === to) return;
  for (const row of await tx.reportSubscription.findMany({ where: { siteId, timezone: null } })) {
    const { personId, cadence, nextAt } = row;
    // A report that is sent at this moment has another time: its sender has moved it on, by the old timezone.
    await tx.reportSubscription.updateMany({
      where: { siteId, personId, cadence, nextAt },
      data: { nextAt: movedTime(cadence, row, nextAt, from, to) },
    });
  }
  for (const row of await tx.recipientReport.findMany({ where: { recipient: { siteId }, timezone: null } })) {
    const { recipientId, cadence, nextAt } = row;
    await tx.recipientReport.updateMany({
      where: { recipientId, cadence, nextAt },
      data: { nextAt: movedTime(cadence, row, nextAt, from, to) },
    });
  }
}

/** Unsubscribes a person from a report. Does nothing if they are not subscribed. */
export async function unsubscribe(
  { personId, siteId, cadence }: { siteId: number; personId: number; cadence: Cadence },
  on: Db = db(),
): Promise<void> {
  await on.reportSubscription.deleteMany({ where: { siteId, personId, cadence } });
}
