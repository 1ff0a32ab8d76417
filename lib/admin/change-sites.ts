import { type AdminChange, requireStillAdministrator } from "@/lib/admin/change-people";
import { lockSession } from "@/lib/auth/session-row";
import { queueEmail, writeEmail } from "@/lib/email/mailer";
import { changeSiteAs, inSiteTransaction } from "@/lib/gateway/changes/change-site";
import type { Db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { primaryNameOf } from "@/lib/sites/notices";
import { t } from "@/lib/texts/translate";

/**
 * Disables or enables a site, and emails its owners. A disabled site refuses events, and its pages, shared pages and calls
 * answer nothing, except for the export and the deletion of its data. It takes effect for events within ten seconds.
 *
 * @throws Refusal `site_not_granted` when it does not exist, `role_denied` for who is no administrator,
 *   `operation_in_progress` while another call changes the site.
 */
export async function setSiteDisabled(
  { owner, requestId, now }: AdminChange,
  siteId: number,
  disabled: boolean,
): Promise<void> {
  await inSiteTransaction(async (tx) => {
    await lockSession(tx, owner, now);
    await requireStillAdministrator(tx, owner);
    const operation = `admin.sites.${disabled ? "disable" : "enable"}`;
    const by = { personId: owner.personId, siteId, requestId, now };
    await changeSiteAs(tx, by, { operation, detail: {} }, async () => {
      const where = { id: siteId, disabledAt: disabled ? null : { not: null } };
      const { count } = await tx.site.updateMany({ where, data: { disabledAt: disabled ? now : null } });
      if (count > 0) await emailOwners(tx, siteId, disabled, now);
    });
  });
}

async function emailOwners(tx: Db, siteId: number, disabled: boolean, now: Date): Promise<void> {
  const owners = await tx.person.findMany({
    where: { disabledAt: null, memberships: { some: { siteId, role: "owner" } } },
    select: { email: true, language: true },
  });
  const { domain, kept } = await primaryNameOf(tx, siteId);
  const named = { service: env().BASE_URL, domain };
  for (const owner of owners) {
    const message = writeEmail(owner, () => ({
      subject: disabled ? t("{domain} was disabled", { domain }) : t("{domain} was enabled again", { domain }),
      paragraphs: [
        disabled
          ? t(
              "An administrator of {service} disabled the site {domain}. It takes no events, and its pages and reports are closed. Its data is kept: an agent can export it with sites.export. Ask the administrator to enable it again.",
              named,
            )
          : t(
              "An administrator of {service} enabled the site {domain} again. It takes events and shows its reports.",
              named,
            ),
      ],
      why: t("you own {domain}, and owners are always notified of such changes", { domain }),
      kept,
    }));
    await queueEmail(tx, message, now);
  }
}
