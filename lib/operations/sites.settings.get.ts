import { z } from "zod";
import { defineOperation, type Principal, type SiteAccess } from "@/lib/contract/define";
import { personId, role, siteId, siteShape, untrusted } from "@/lib/contract/fields";
import { describeSite } from "@/lib/sites/access";
import { listMembers } from "@/lib/sites/members";
import { listSavedNames, savedNamesShape } from "@/lib/sites/saved/names";
import { publicationOf } from "@/lib/sites/verification";
import { publicationShape } from "@/lib/sites/verify";

export default defineOperation({
  id: "sites.settings.get",
  title: "Read a site's settings",
  about:
    "One site with its domains and settings, what to publish to prove its primary domain, for how long it keeps what was counted, the names of what is saved for its reports and, for its owners, its members.",
  scope: "sites:read",
  role: "manager",
  risk: "none",
  input: z.strictObject({ site_id: siteId }),
  example: { site_id: 1 },
  output: siteShape.extend({
    saved: savedNamesShape,
    proof: publicationShape.meta({ description: "What to publish before sites.verify, in one of three places" }),
    kept_months: z.int().nullable().meta({
      description:
        "For so many months what was counted is kept, and destroyed then; null: forever. sites.retention.update changes it",
    }),
    members: z
      .array(z.object({ person_id: personId, email: z.string(), name: untrusted.nullable(), role }))
      .nullable()
      .meta({
        description:
          "The people of the site, whose ids sites.ownership.transfer takes; null below the role owner, and for a token without the scope teams:write",
      }),
  }),

  async run({ site, principal, db }) {
    const [described, saved, members] = await Promise.all([
      describeSite(db, site.id, principal),
      listSavedNames(db, site.id),
      membersFor(principal, site),
    ]);
    const proof = publicationOf(site.id, site.domain);
    return { ...described, saved, proof, kept_months: site.retention.months, members };
  },
});

/** Who may transfer the site sees to whom: others are not shown the addresses of its people. */
async function membersFor(principal: Principal, site: SiteAccess) {
  const mayTransfer = principal.kind === "owner" || principal.scopes.includes("teams:write");
  if (site.role !== "owner" || !mayTransfer) return null;
  const members = await listMembers(site.id);
  return members.map(({ personId, email, name, role }) => ({ person_id: personId, email, name, role }));
}
