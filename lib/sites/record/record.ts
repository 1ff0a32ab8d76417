import { settingsOf, settingText } from "@/lib/contract/site-settings";
import { readUsesUserIds } from "@/lib/ingest/store/site-events";
import type { Db } from "@/lib/platform/db";
import { DAY_MS } from "@/lib/platform/durations";
import { env } from "@/lib/platform/env";
import { legibleHost } from "@/lib/platform/legible-host";
import { readPrivacy } from "@/lib/sites/privacy";
import { type PolicySite, policyText } from "@/lib/sites/record/policy-text";
import { NEVER_STORED, type SiteData, storedBy } from "@/lib/sites/record/stored-fields";
import { describeRetentionMonths } from "@/lib/sites/retention-text";

/** How far back events are searched for user ids. */
const USER_ID_DAYS = 30;

/** What a site stores of its visitors, why nothing else, and what its privacy policy can say, at one time. */
export interface PrivacyRecord {
  domain: string;
  written_at: string;
  settings: SiteData;
  stored: { title: string; kept: string; fields: { name: string; about: string }[] }[];
  never_stored: string[];
  policy: string;
}

/** Returns the record of a site by its settings, and by whether its recent events name users. */
export async function readPrivacyRecord(
  on: Db,
  { id, domain, retention }: { id: number; domain: string; retention: { months: number | null } },
  now: Date,
): Promise<PrivacyRecord> {
  const [privacy, usesIds, { public: isPublic }] = await Promise.all([
    readPrivacy(id, on),
    readUsesUserIds(id, new Date(now.getTime() - USER_ID_DAYS * DAY_MS)),
    on.site.findUniqueOrThrow({ where: { id }, select: { public: true } }),
  ]);
  const settings: SiteData = { ...privacy, retention_months: retention.months, public: isPublic, user_ids: usesIds };
  const shown: PolicySite = { ...settings, domain: legibleHost(domain), service: env().BASE_URL };
  return {
    domain,
    written_at: now.toISOString(),
    settings,
    stored: storedBy(settings).map(({ title, kept, fields }) => ({
      title,
      kept: kept(settings),
      fields: Object.entries(fields).map(([name, about]) => ({ name, about })),
    })),
    never_stored: [...NEVER_STORED],
    policy: policyText(shown),
  };
}

/** Returns the record as Markdown, for people and for other documents. */
export function recordMarkdown({ domain, written_at, settings, stored, never_stored, policy }: PrivacyRecord): string {
  const values: Readonly<Record<string, unknown>> = { ...settings };
  const chosen = settingsOf("privacy").map((one) => [one.label, settingText(one, values[one.name])] as const);
  const rows = [
    ...chosen,
    [
      "Data is kept",
      settings.retention_months === null ? "Forever" : `For ${describeRetentionMonths(settings.retention_months)}`,
    ],
    ["Public dashboard", yesOrNo(settings.public)],
    [`Events of the last ${USER_ID_DAYS} days name users`, yesOrNo(settings.user_ids)],
  ] as const;
  return `${[
    `# What ${domain} stores of its visitors`,
    `Written by Footfall on ${written_at}, from the settings of the site.`,
    "## Settings",
    rows.map(([label, value]) => `- ${label}: ${value}`).join("\n"),
    "## What is stored",
    ...stored.flatMap(({ title, kept, fields }) => [
      `### ${title}`,
      kept,
      fields.map(({ name, about }) => `- \`${name}\`: ${about}`).join("\n"),
    ]),
    "## What is never stored",
    never_stored.map((what) => `- ${what}`).join("\n"),
    "## Text for the privacy policy",
    policy,
  ].join("\n\n")}\n`;
}

const yesOrNo = (value: boolean): string => (value ? "Yes" : "No");
