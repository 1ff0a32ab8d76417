import { z } from "zod";
import { confirmedPerson } from "@/lib/auth/confirmation";
import { defineOperation, requirePerson } from "@/lib/contract/define";
import { optionalParam, siteId } from "@/lib/contract/fields";
import {
  describeSubscriptions,
  reschedule,
  scheduleFields,
  scheduleOf,
  subscribe,
  subscriptionsShape,
  unsubscribe,
  withSchedule,
} from "@/lib/sites/reports/subscriptions";
import { msg } from "@/lib/texts/translate";

const onOrOff = (when: string) =>
  optionalParam(z.boolean("must be true or false")).meta({
    description: `Whether the report is emailed ${when}; leave out to keep the setting`,
  });

export default defineOperation({
  id: "sites.reports.update",
  title: msg("Change email reports"),
  about:
    "Turns your email reports of a site on or off, and chooses when they are sent; for an agent, those of the person it acts for. Without a choice they are sent at 7:00 local time of the site. The email address must be confirmed.",
  scope: "sites:write",
  role: "viewer",
  risk: "write",
  input: z.strictObject({
    site_id: siteId,
    daily: onOrOff("each day, about the day before"),
    weekly: onOrOff("each week, about the seven days before"),
    monthly: onOrOff("each month, about the calendar month before"),
    ...scheduleFields,
  }),
  example: { site_id: 1, weekly: true },
  output: subscriptionsShape,

  async run({ input, site, principal, db, now }) {
    const personId = requirePerson(principal);
    const before = await scheduleOf(db, site.id, personId);
    const schedule = withSchedule(before, input);
    for (const cadence of ["daily", "weekly", "monthly"] as const) {
      const on = input[cadence] ?? null;
      if (on === null) continue;
      if (!on) await unsubscribe({ siteId: site.id, personId, cadence }, db);
      else await subscribe(db, site, (await confirmedPerson(db, principal)).id, cadence, schedule, now);
    }
    const given = [input.weekday, input.month_day, input.hour, input.timezone];
    if (given.some((one) => one !== null && one !== undefined)) await reschedule(db, site, personId, schedule, now);
    return describeSubscriptions(db, site.id, personId);
  },
});
