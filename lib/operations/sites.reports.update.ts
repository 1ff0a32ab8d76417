import { z } from "zod";
import { confirmedPerson } from "@/lib/auth/confirmation";
import { defineOperation, requirePerson } from "@/lib/contract/define";
import { optionalParam, siteId } from "@/lib/contract/fields";
import { describeSubscriptions, subscribe, subscriptionsShape, unsubscribe } from "@/lib/sites/reports/subscriptions";

const onOrOff = (when: string) =>
  optionalParam(z.boolean("must be true or false")).meta({
    description: `Whether the report is emailed ${when}; leave out to keep the setting`,
  });

export default defineOperation({
  id: "sites.reports.update",
  title: "Change email reports",
  about:
    "Turns your email reports of a site on or off; for an agent, those of the person it acts for. They are sent at 7:00 local time of the site. The email address must be confirmed.",
  scope: "sites:write",
  role: "viewer",
  risk: "write",
  input: z.strictObject({
    site_id: siteId,
    weekly: onOrOff("each Monday, about the last week"),
    monthly: onOrOff("on the first of each month, about the last month"),
  }),
  example: { site_id: 1, weekly: true },
  output: subscriptionsShape,

  async run({ input, site, principal, db, now }) {
    const personId = requirePerson(principal);
    for (const cadence of ["weekly", "monthly"] as const) {
      const on = input[cadence] ?? null;
      if (on === null) continue;
      if (!on) await unsubscribe({ siteId: site.id, personId, cadence }, db);
      else await subscribe(db, site, (await confirmedPerson(db, principal)).id, cadence, now);
    }
    return describeSubscriptions(db, site.id, personId);
  },
});
