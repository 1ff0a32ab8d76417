import { z } from "zod";
import { confirmedPerson } from "@/lib/auth/confirmation";
import { manages } from "@/lib/contract/access";
import { defineOperation, type Principal, type SiteAccess, wayToScope } from "@/lib/contract/define";
import { about, optionalParam, siteId } from "@/lib/contract/fields";
import { queueEmail, type Reader } from "@/lib/email/mailer";
import type { SiteWork } from "@/lib/gateway/changes/site-revision";
import preview from "@/lib/operations/sites.reports.preview";
import { HOUR_MS } from "@/lib/platform/durations";
import { Refusal } from "@/lib/platform/errors";
import { requireRate } from "@/lib/platform/rate";
import { asReport } from "@/lib/platform/report-queries";
import { sharesOf } from "@/lib/platform/report-shares";
import { reportDeadlineMs } from "@/lib/platform/reports";
import { CADENCES, type Cadence } from "@/lib/sites/reports/period";
import { languageOfRecipient, recipientId, requireRecipient } from "@/lib/sites/reports/recipients";
import { unsubscribeToken } from "@/lib/sites/reports/unsubscribe";
import { addressed, type WrittenReport } from "@/lib/sites/reports/write";
import { inLanguage } from "@/lib/texts/in-language";
import { msg } from "@/lib/texts/translate";

const names = Object.keys(CADENCES) as [Cadence, ...Cadence[]];
/** Reports that one caller sends, and that one address gets, within an hour. */
const SENT = { caller: 10, address: 3 };

export default defineOperation({
  id: "sites.reports.send_now",
  title: msg("Send an email report now"),
  about:
    "Emails a report at once, to you (for an agent, to its person) or to a recipient that has confirmed. The schedule does not change. At most 10 an hour, and 3 an hour to one address. Needs analytics:read too.",
  scope: "sites:write",
  role: "viewer",
  risk: "write",
  input: z.strictObject({
    site_id: siteId,
    cadence: z.enum(names, `must be one of ${names.join(", ")}`),
    recipient_id: optionalParam(recipientId).meta({
      description: "Recipient from sites.reports.get, for managers; default: you",
    }),
  }),
  example: { site_id: 1, cadence: "weekly" },
  output: z.object({ sent_to: about(z.string(), "The address", "ann@example.com") }),

  async reach({ input, principal, now, ...work }) {
    const { site_id, cadence } = input;
    requireReports(principal);
    const { email, language } = await addressOf({ ...work, principal, now }, input.recipient_id ?? null);
    const caller = principal.kind === "client" ? principal.clientId : `${principal.personId}`;
    const tooMany = "Too many reports within an hour. Wait, or see them with sites.reports.preview.";
    await requireRate(`report-now:${caller}`, SENT.caller, HOUR_MS, now, tooMany);
    await requireRate(`report-now:${site_id}:${email}`, SENT.address, HOUR_MS, now, tooMany);
    const reader = input.recipient_id ? "recipient" : "member";
    const asked = preview.input.parse({ site_id, cadence, to: reader });
    const bounds = { shares: sharesOf(principal), deadlineMs: reportDeadlineMs() };
    const report = await inLanguage(language, () =>
      asReport(bounds, () => preview.run({ ...work, principal, now, input: asked })),
    );
    return report satisfies WrittenReport;
  },

  async run({ input: { cadence, recipient_id }, db, now, reached, ...work }) {
    const { id, email } = await addressOf({ ...work, db, now }, recipient_id ?? null);
    const token = unsubscribeToken(
      recipient_id
        ? { kind: "recipient", recipientId: id, cadence }
        : { kind: "member", siteId: work.site.id, personId: id, cadence },
    );
    await queueEmail(db, addressed(reached as WrittenReport, email, token), now);
    return { sent_to: email };
  },
});

async function addressOf(
  { db, site, principal }: SiteWork,
  recipient: number | null,
): Promise<Reader & { id: number }> {
  if (recipient === null) return confirmedPerson(db, principal);
  requireManager(site);
  const { id, email, confirmedAt } = await requireRecipient(db, site.id, recipient);
  if (confirmedAt) return { id, email, language: await languageOfRecipient(db, site.id, email) };
  throw new Refusal(
    "role_denied",
    `${email} has not confirmed. Its owner finds the link in the email that was sent when it was added.`,
  );
}

/** The numbers of a report are those of analytics:read. */
function requireReports(principal: Principal): void {
  if (principal.kind === "owner" || principal.scopes.includes("analytics:read")) return;
  throw new Refusal(
    "insufficient_scope",
    `This needs the scope analytics:read too, which this token does not have. ${wayToScope(principal)}`,
    { required_scope: "analytics:read" },
  );
}

function requireManager({ role }: SiteAccess): void {
  if (manages(role)) return;
  throw new Refusal(
    "role_denied",
    "Only managers and owners send reports to others. Leave out recipient_id to send it to yourself.",
  );
}
