import { z } from "zod";
import { rangeOf } from "@/lib/analytics/calendar/period";
import { newPassword } from "@/lib/auth/password";
import type { ChangeLine, Principal } from "@/lib/contract/define";
import {
  about,
  integerId,
  keysOf,
  nameText,
  optionalParam,
  siteId,
  supportedDay,
  untrusted,
} from "@/lib/contract/fields";
import { REPORTS } from "@/lib/contract/reports";
import { PERIODS } from "@/lib/contract/vocabulary";
import type { SiteWork } from "@/lib/gateway/changes/site-revision";
import { type Db, db, type Prisma } from "@/lib/platform/db";
import { DAY_MS } from "@/lib/platform/durations";
import { env } from "@/lib/platform/env";
import { type Issue, invalidInput, Refusal } from "@/lib/platform/errors";
import { freshSecret, hashOf, seal, unseal } from "@/lib/platform/secrets";
import { Temporal } from "@/lib/platform/time";
import {
  LOOKS_BACK,
  SHARED_PANELS,
  SHARED_REPORTS,
  type SharedPanel,
  type SharedPeriod,
  type SharedReport,
  type ShareLimits,
} from "@/lib/sites/share-limits";

/** Private links: whoever has one sees a part of a site without an account. */

const MAX_LINKS = 100;

/** Periods that a link can be limited to: those that have a first day of their own. */
const LIMITING = keysOf(PERIODS).filter((key) => key !== "all" && key !== "custom");

const eachOnce = <Key extends string>(keys: readonly Key[]) => {
  const message = `must be some of ${keys.join(", ")}, each at most once`;
  return z
    .array(z.enum(keys, message), message)
    .max(keys.length, message)
    .refine((list) => new Set(list).size === list.length, message);
};

const ON_OFF = "must be true or false";
const PERIOD_WORDS = `must be one of ${LIMITING.join(", ")}`;

export const shareLinkId = integerId("must be the id of a share link").meta({ examples: [3] });

export const shareLinkInput = z.strictObject({
  site_id: siteId,
  name: nameText(100)
    .min(1, "must say whom the link is for, such as Press")
    .meta({ description: "Whom the link is for, such as Press; only members of the site see it" }),
  password: optionalParam(newPassword).meta({
    description: "A password that readers must enter; 12 to 256 characters. Not for embeds",
  }),
  expires_in_days: optionalParam(
    z
      .int("must be a whole number of days")
      .min(1, "must be a day or more")
      .max(3650, "must be at most ten years, 3650 days"),
  ).meta({ description: "Days until the link expires; default never" }),
  segment: optionalParam(z.uuid("must be the id of a segment, a UUID")).meta({
    description: "Id of the only segment that the link shows; default all visitors",
  }),
  period: optionalParam(z.enum(LIMITING, PERIOD_WORDS)).meta({
    description: "The only period that the link shows, which moves on with time; default any",
  }),
  from: optionalParam(supportedDay).meta({ description: "First local day of a fixed period; requires `to`" }),
  to: optionalParam(supportedDay).meta({ description: "Last local day of a fixed period; requires `from`" }),
  dashboard: z.boolean(ON_OFF).default(true).meta({ description: "Whether the link shows the dashboard" }),
  panels: eachOnce(SHARED_PANELS)
    .default([])
    .meta({ description: "The only panels of the dashboard that the link shows; [] for all of a public dashboard" }),
  reports: eachOnce(SHARED_REPORTS).default([]).meta({ description: "Reports that the link shows" }),
  revenue: z.boolean(ON_OFF).default(false).meta({
    description:
      "Whether the dashboard shows revenue, orders and average order, in total and per row of its lists; goals and conversions stay hidden",
  }),
  embeds: z
    .boolean(ON_OFF)
    .default(false)
    .meta({ description: "Whether pages of other sites may show it in a frame, at `embed_url`" }),
  credit: z.boolean(ON_OFF).default(true).meta({ description: "Whether its pages say that Footfall counted" }),
});
export type ShareLinkInput = z.output<typeof shareLinkInput>;

const limitFields = {
  segment: z.uuid().nullable(),
  period: z
    .enum(LIMITING)
    .nullable()
    .meta({ examples: ["28d"] }),
  from: z.string().nullable(),
  to: z.string().nullable(),
  dashboard: z.boolean(),
  panels: z.array(z.enum(SHARED_PANELS)).meta({ examples: [["metrics", "pages"]] }),
  reports: z.array(z.enum(SHARED_REPORTS)).meta({ examples: [["campaigns"]] }),
  revenue: about(z.boolean(), "Whether the dashboard shows revenue and orders", false),
  embeds: z.boolean(),
  credit: z.boolean(),
};

/** A link in API responses. */
export const shareLinkShape = z
  .object({
    link_id: shareLinkId,
    name: untrusted.meta({ examples: ["Press"] }),
    url: about(
      z.string().nullable(),
      "Its secret address, for people who are signed in; null for agents, which get it once, when they create it",
      "https://stats.example.com/s/w8RkT2nZ5vB9xL0cYd3hJfQm7xw8RkT2nZ5vB9xL0cY",
    ),
    embed_url: about(
      z.string().nullable(),
      "Its address for frames; null if it is not for frames, and for agents",
      null,
    ),
    has_password: z.boolean(),
    ...limitFields,
    created_at: z.iso.datetime(),
    expires_at: about(z.iso.datetime().nullable(), "Null for never", "2027-11-20T09:30:00Z"),
    last_used_at: about(z.iso.datetime().nullable(), "When a page of it was last opened", "2026-11-20T09:42:00Z"),
    uses: about(z.int(), "How often its pages were opened; by whom is not stored", 14),
  })
  .meta({ id: "ShareLink" });

/** A new link with its address. */
export const newShareLinkShape = z.object({
  link_id: shareLinkId,
  url: about(
    z.string(),
    "The secret address: whoever has it sees what the link shows",
    "https://stats.example.com/s/…",
  ),
  embed_url: about(z.string().nullable(), "The address for frames; null if it is not for frames", null),
  expires_at: about(z.iso.datetime().nullable(), "Null for never", "2027-11-20T09:30:00Z"),
});

export type ShareLinkRow = Prisma.ShareLinkGetPayload<object>;

/** Lists the links of a site, newest first, including expired ones. */
export const listShareLinks = (siteId: number, on: Db) =>
  on.shareLink.findMany({ where: { siteId }, orderBy: [{ createdAt: "desc" }, { id: "desc" }] });

const sealContext = (hash: Uint8Array) => `share_link.secret:${Buffer.from(hash).toString("hex")}`;
const urlOf = (secret: string): string => `${env().BASE_URL}/s/${secret}`;
const embedUrlOf = (secret: string): string => `${env().BASE_URL}/embed/${secret}`;

/** Formats a link for API responses. */
export function describeShareLink(row: ShareLinkRow, principal: Principal): z.input<typeof shareLinkShape> {
  const {
    segmentId: segment,
    createdAt,
    expiresAt,
    lastUsedAt,
    uses,
    from,
    to,
    dashboard,
    revenue,
    embeds,
    credit,
  } = row;
  const secret = principal.kind === "owner" ? unseal(row.secret, sealContext(row.hash)).toString() : null;
  return {
    link_id: row.id,
    name: row.name,
    url: secret && urlOf(secret),
    embed_url: secret && embeds ? embedUrlOf(secret) : null,
    has_password: row.passwordHash !== null,
    ...{ segment, from, to, dashboard, revenue, embeds, credit, uses },
    period: row.period as (typeof LIMITING)[number] | null,
    panels: row.panels as SharedPanel[],
    reports: row.reports as SharedReport[],
    created_at: createdAt.toISOString(),
    expires_at: expiresAt?.toISOString() ?? null,
    last_used_at: lastUsedAt?.toISOString() ?? null,
  };
}

/**
 * Checks a link before it is created.
 *
 * @returns the name of its segment; null without one
 * @throws Refusal `invalid_input` for limits that contradict each other and beyond 100 links, `not_found` for a segment
 *   that is not the site's
 */
export async function checkShareLink(
  { db: tx, site, principal, now }: SiteWork,
  input: ShareLinkInput,
): Promise<{ segmentName: string | null }> {
  const issues = contradictionsOf(input);
  // The request for an approval stores the input of the call.
  if (input.password && principal.kind === "client")
    issues.push({ path: "password", message: "is for people to set, in the settings of the site; leave it out" });
  if ((await tx.shareLink.count({ where: { siteId: site.id } })) >= MAX_LINKS)
    issues.push({ path: "name", message: `exceeds the limit of ${MAX_LINKS} share links per site; revoke one first` });
  if (issues.length > 0) throw invalidInput(issues);
  if (input.from) rangeOf({ period: null, from: input.from, to: input.to ?? null }, site.timezone, now, EPOCH);
  if (!input.segment) return { segmentName: null };
  const segment = await tx.segment.findFirst({ where: { id: input.segment, siteId: site.id } });
  if (!segment) throw new Refusal("not_found", "The site has no segment of this id; take one of sites.segments.list.");
  return { segmentName: segment.name };
}
const EPOCH = Temporal.PlainDate.from("1970-01-01");

function contradictionsOf(input: ShareLinkInput): Issue[] {
  const { period, from, to, dashboard, panels, reports, revenue, embeds, password } = input;
  const issues: Issue[] = [];
  if (!from !== !to) issues.push({ path: from ? "to" : "from", message: "is missing; a fixed period has both days" });
  if (period && from) issues.push({ path: "period", message: "must be left out with from and to" });
  if (!dashboard && reports.length === 0)
    issues.push({ path: "reports", message: "must name a report, because the link does not show the dashboard" });
  if (!dashboard && panels.length > 0)
    issues.push({ path: "panels", message: "must be empty, because the link does not show the dashboard" });
  if (!dashboard && revenue)
    issues.push({ path: "revenue", message: "must be false, because the link does not show the dashboard" });
  if (embeds && password)
    issues.push({ path: "password", message: "must be left out: in a frame, nobody can enter a password safely" });
  if ((period || from) && reports.some((report) => LOOKS_BACK.has(report)))
    issues.push({ path: "reports", message: "must not have changes, which compares with days before the period" });
  return issues;
}

/** Creates a link. @throws Refusal see `checkShareLink` */
export async function createShareLink(
  work: SiteWork,
  input: ShareLinkInput,
  passwordHash: string | null,
): Promise<z.input<typeof newShareLinkShape>> {
  await checkShareLink(work, input);
  const { db: tx, site, principal, now } = work;
  const secret = freshSecret();
  const hash = hashOf(secret);
  const days = input.expires_in_days ?? null;
  const expiresAt = days === null ? null : new Date(now.getTime() + days * DAY_MS);
  const { name, dashboard, panels, reports, revenue, embeds, credit } = input;
  const { id } = await tx.shareLink.create({
    data: {
      ...{ siteId: site.id, name, hash, passwordHash, dashboard, panels, reports, revenue, embeds, credit, expiresAt },
      secret: new Uint8Array(seal(Buffer.from(secret), sealContext(hash))),
      segmentId: input.segment ?? null,
      period: input.period ?? null,
      from: input.from ?? null,
      to: input.to ?? null,
      createdById: principal.personId,
      createdAt: now,
    },
  });
  return {
    link_id: id,
    url: urlOf(secret),
    embed_url: embeds ? embedUrlOf(secret) : null,
    expires_at: expiresAt?.toISOString() ?? null,
  };
}

/** Deletes a link; it shows nothing from the next request on. @throws Refusal `not_found` */
export async function revokeShareLink({ db: tx, site }: SiteWork, id: number): Promise<ShareLinkRow> {
  const link = await revocableLink({ db: tx, site }, id);
  await tx.shareLink.deleteMany({ where: { id: link.id, siteId: site.id } });
  return link;
}

/** Returns a link that can be revoked, also one that has expired. @throws Refusal `not_found` */
export async function revocableLink({ db: tx, site }: Pick<SiteWork, "db" | "site">, id: number) {
  const link = await tx.shareLink.findFirst({ where: { id, siteId: site.id } });
  if (link) return link;
  throw new Refusal("not_found", "The site has no share link of this id; sites.links.list has those that exist.");
}

/** The lines that a person approves for a new link. */
export function shareLinkLines(input: ShareLinkInput, segmentName: string | null): ChangeLine[] {
  const { period, from, to, expires_in_days: days, dashboard, panels, reports } = input;
  const line = (label: string, after: string): ChangeLine => ({ label, before: null, after });
  const shown = [...(dashboard ? ["Dashboard"] : []), ...reports.map((report) => REPORTS[report].name)];
  return [
    line("Private link", input.name),
    ...shown.map((one) => line("What it shows", one)),
    ...(panels.length > 0 ? [line("Only some of its panels", panels.join(", "))] : []),
    line("Show revenue", input.revenue ? "Yes" : "No"),
    line("Visitors", segmentName ?? "All visitors"),
    ...(from && to
      ? [line("First day", from), line("Last day", to)]
      : [line("Period", period ? PERIODS[period] : "Any period")]),
    line("Password", input.password ? "Set" : "None"),
    line("Expires", days ? `After ${days} ${days === 1 ? "day" : "days"}` : "Never"),
    line("For frames on other sites", input.embeds ? "Yes" : "No"),
    line("Say “Counted by Footfall”", input.credit ? "Yes" : "No"),
  ];
}

/** An open link: what it shows, and of which site. */
export interface OpenLink {
  id: number;
  siteId: number;
  limits: ShareLimits;
  passwordHash: string | null;
  embeds: boolean;
  credit: boolean;
}

/** Secrets have 43 characters of base64url. */
const SECRET = /^[\w-]{43}$/;

/** Returns the link with this secret; null for none, a revoked or an expired one, which look the same from outside. */
export async function openShareLink(secret: string, now: Date): Promise<OpenLink | null> {
  if (!SECRET.test(secret)) return null;
  const row = await db().shareLink.findUnique({ where: { hash: hashOf(secret) } });
  if (!row || (row.expiresAt !== null && row.expiresAt <= now)) return null;
  const { id, siteId, passwordHash, embeds, credit } = row;
  return { id, siteId, limits: limitsOf(row), passwordHash, embeds, credit };
}

function limitsOf({ segmentId, period, from, to, dashboard, panels, reports, revenue }: ShareLinkRow): ShareLimits {
  const limited: SharedPeriod | null = from && to ? { from, to } : period ? { period: period as never } : null;
  return {
    segment: segmentId,
    period: limited,
    dashboard,
    panels: SHARED_PANELS.filter((panel) => panels.includes(panel)),
    reports: SHARED_REPORTS.filter((report) => reports.includes(report)),
    revenue,
  };
}

/** Counts an opened page of a link. */
export const countUse = async ({ id }: Pick<OpenLink, "id">, now: Date): Promise<void> => {
  await db().shareLink.updateMany({ where: { id }, data: { uses: { increment: 1 }, lastUsedAt: now } });
};
