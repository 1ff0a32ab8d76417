import { z } from "zod";
import { emailAddress } from "@/lib/auth/email";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { CADENCES, type Cadence } from "@/lib/sites/reports/period";
import { addRecipient, recipientShape } from "@/lib/sites/reports/recipients";
import { scheduleFields } from "@/lib/sites/reports/subscriptions";
import { msg } from "@/lib/texts/translate";

const names = Object.keys(CADENCES) as [Cadence, ...Cadence[]];

export default defineOperation({
  id: "sites.reports.recipients.add",
  title: msg("Add a recipient of reports"),
  about:
    "Adds an address that receives reports, or changes which and when. It must confirm by a link in an email before it gets any; its person needs no account. Without reports it can be named by alerts. At most 50 addresses.",
  scope: "sites:write",
  role: "manager",
  risk: "sharing",
  input: z.strictObject({
    site_id: siteId,
    email: emailAddress.meta({ description: "Address that receives the reports", examples: ["team@example.com"] }),
    cadences: z
      .array(z.enum(names, `must be one of ${names.join(", ")}`), 'must be a list such as ["weekly"]')
      .max(names.length, `must have at most ${names.length} values`)
      .overwrite((given) => [...new Set(given)])
      .meta({ description: "Reports that it receives; [] for none" }),
    ...scheduleFields,
  }),
  example: { site_id: 1, email: "team@example.com", cadences: ["weekly"] },
  output: recipientShape,

  async summary({ input, site, db }) {
    const known = await db.recipient.findUnique({
      where: { siteId_email: { siteId: site.id, email: input.email } },
      include: { reports: { orderBy: { cadence: "asc" } } },
    });
    const inWords = (cadences: readonly Cadence[]) => cadences.map((one) => CADENCES[one].label).join(", ") || "None";
    return [
      {
        label: `Reports to ${input.email}`,
        before: known && inWords(known.reports.map(({ cadence }) => cadence)),
        after: inWords(input.cadences),
      },
    ];
  },

  run: ({ input: { site_id: _, ...input }, ...work }) => addRecipient(work, input),
});
