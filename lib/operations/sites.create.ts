import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { domainName, siteName, siteShape, timezone } from "@/lib/contract/fields";
import { settingFields } from "@/lib/contract/setting-fields";
import { normalSiteDomain, readSiteDomain } from "@/lib/platform/domain-names";
import { canonicalTimezone } from "@/lib/platform/time";
import { describeSite } from "@/lib/sites/access";
import { createSite } from "@/lib/sites/create";
import { msg } from "@/lib/texts/translate";

/** Refused here already, so that a form shows it beside the faults of its other fields. */
const domain = domainName.superRefine((typed, { addIssue }) => {
  const read = readSiteDomain(typed);
  if ("fault" in read) addIssue(`must be the domain of a site, but ${read.fault}`);
});

export default defineOperation({
  id: "sites.create",
  title: msg("Add a site"),
  about: "Creates a site for a domain and makes you its owner. Its tracker can send events at once.",
  scope: "sites:create",
  role: "manager",
  risk: "write",
  input: z.strictObject({
    domain,
    name: siteName.nullish(),
    timezone,
    public: settingFields("dashboard").public,
  }),
  example: { domain: "example.com", name: "Example", timezone: "Europe/Berlin", public: false },
  output: siteShape,

  async run({ input, principal, db, now }) {
    const id = await createSite(db, {
      host: normalSiteDomain(input.domain),
      name: input.name || null,
      timezone: canonicalTimezone(input.timezone),
      public: input.public,
      creator: principal,
      now,
    });
    return describeSite(db, id, principal);
  },
});
