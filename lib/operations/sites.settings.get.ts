import { z } from "zod";
import { defineOperation, type Principal, type SiteAccess } from "@/lib/contract/define";
import { about, siteId, siteShape } from "@/lib/contract/fields";
import { describeSite } from "@/lib/sites/access";
import { primaryMovesAt } from "@/lib/sites/contested-domains";
import { listMembers, memberShape } from "@/lib/sites/members";
import { listSavedNames, savedNamesShape } from "@/lib/sites/saved/names";
import { readKeyState } from "@/lib/sites/signing";
import { publicationOf } from "@/lib/sites/verification";
import { publicationShape } from "@/lib/sites/verify";

export default defineOperation({
  id: "sites.settings.get",
  title: "Read a site's settings",
  about:
    "Returns a site with its domains, settings, retention, and the names of its saved segments, dashboards, goals, funnels and experiments; also what to publish to verify its primary domain and, for owners, its members.",
  scope: "sites:read",
  role: "manager",
  risk: "none",
  input: z.strictObject({ site_id: siteId }),
  example: { site_id: 1 },
  output: siteShape.extend({
    saved: savedNamesShape,
    proof: publicationShape.meta({
      description: "What to publish, in one of three places, before calling sites.verify",
    }),
    kept_months: about(
      z.int().nullable(),
      "Months for which data is kept before it is deleted; null is forever. sites.retention.update changes it",
      24,
    ),
    primary_moves_at: z.iso.datetime().nullable().meta({
      description:
        "When another site, which has proven the primary domain, can take it unless the proof of this site is published again; null unless there is one",
    }),
    has_signing_key: z.boolean().meta({
      description: "Whether there is a key by which the site's proxies sign addresses; sites.proxy.update creates one",
    }),
    previous_key_valid_until: z.iso
      .datetime()
      .nullable()
      .meta({ description: "Until when the previous signing key is valid too; null if it is not" }),
    members: z
      .array(memberShape.pick({ person_id: true, email: true, name: true, role: true }))
      .nullable()
      .meta({
        description:
          "Members of the site, with the ids for sites.ownership.transfer; null for roles below owner and for tokens without the scope teams:write",
      }),
  }),

  async run({ site, principal, db, now }) {
    const [described, saved, key, movesAt, members] = await Promise.all([
      describeSite(db, site.id, principal),
      listSavedNames(db, site.id),
      readKeyState(db, site.id),
      primaryMovesAt(db, site.id),
      membersFor(principal, site),
    ]);
    const { signingKey, previousKeyUntil: until } = key;
    return {
      ...described,
      saved,
      proof: publicationOf(site.id, site.domain),
      kept_months: site.retention.months,
      primary_moves_at: movesAt?.toISOString() ?? null,
      has_signing_key: signingKey !== null,
      previous_key_valid_until: until && until > now ? until.toISOString() : null,
      members,
    };
  },
});

/** Returns the members for callers who may transfer the site; null for others, to hide the email addresses. */
async function membersFor(principal: Principal, site: SiteAccess) {
  const mayTransfer = principal.kind === "owner" || principal.scopes.includes("teams:write");
  if (site.role !== "owner" || !mayTransfer) return null;
  const members = await listMembers(site.id);
  return members.map(({ personId, email, name, role }) => ({ person_id: personId, email, name, role }));
}
