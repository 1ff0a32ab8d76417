import { z } from "zod";
import { defineOperation, type Principal, type SiteAccess } from "@/lib/contract/define";
import { about, siteId, siteShape } from "@/lib/contract/fields";
import type { Db } from "@/lib/platform/db";
import { describeSite } from "@/lib/sites/access";
import { primaryMovesAt } from "@/lib/sites/contested-domains";
import { listMembers, memberShape } from "@/lib/sites/members";
import { readKeyState } from "@/lib/sites/signing";
import { publicationOf } from "@/lib/sites/verification";
import { publicationShape } from "@/lib/sites/verify";

const withId = (description: string, name: string) =>
  z
    .array(z.object({ id: z.uuid(), name: z.string() }))
    .meta({ description, examples: [[{ id: "0b7c1f5e-6f0a-4c3e-9b1d-2f4a6c8e0d12", name }]] });

/** Saved objects of a site, with the ids and names that reports accept. */
const savedNamesShape = z.object({
  segments: withId("Use the id as the parameter `segment` of any report", "French blog readers"),
  dashboards: withId("Use the id as the parameter `dashboard` of any report", "Mornings"),
  goals: z
    .array(z.object({ id: z.int(), name: z.string(), kind: z.enum(["event", "page"]), pattern: z.string() }))
    .meta({
      description: "Use the name in the filter `goal:<name>`",
      examples: [[{ id: 7, name: "Signup", kind: "event", pattern: "Signup" }]],
    }),
  funnels: withId("Use the name as the parameter `funnel`", "Signing up"),
  experiments: withId("Use the name in analytics.experiments", "checkout"),
});

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

/** Lists all saved objects of a site by name. */
async function listSavedNames(db: Db, siteId: number): Promise<z.infer<typeof savedNamesShape>> {
  const query = { where: { siteId }, orderBy: { name: "asc" } } as const;
  const named = { ...query, select: { id: true, name: true } } as const;
  const [segments, dashboards, goals, funnels, experiments] = await Promise.all([
    db.segment.findMany(named),
    db.dashboard.findMany(named),
    db.goal.findMany({ ...query, select: { id: true, name: true, kind: true, pattern: true } }),
    db.funnel.findMany(named),
    db.experiment.findMany(named),
  ]);
  return { segments, dashboards, goals, funnels, experiments };
}
