import { Download } from "lucide-react";
import type { Metadata } from "next";
import { ButtonLink } from "@/components/ui/button-link";
import { DownloadLink } from "@/components/ui/download-link";
import { rich } from "@/components/ui/rich";
import { Section } from "@/components/ui/section";
import { When } from "@/components/ui/when";
import { pendingEmail } from "@/lib/account/change-email";
import { deletionBlockers } from "@/lib/account/delete-account";
import { listPasskeys } from "@/lib/auth/passkeys";
import { linkedIdentity } from "@/lib/auth/provider-sign-in";
import { listSessions } from "@/lib/auth/session-list";
import { readSecondFactor } from "@/lib/auth/two-factor-setup";
import { waysToSignIn } from "@/lib/auth/ways";
import { legibleHost } from "@/lib/platform/legible-host";
import { listSubscriptions } from "@/lib/sites/reports/subscriptions";
import { t } from "@/lib/texts/translate";
import { proofsOf } from "../../page-session";
import { signedInOwner } from "../access";
import { ConfirmEmail } from "./confirm-email";
import { DeleteAccount } from "./delete-account";
import { Passkeys } from "./passkeys";
import { PasswordForm } from "./password-form";
import { Profile } from "./profile";
import { Provider } from "./provider";
import { EmailReports } from "./reports";
import { Secure } from "./secure";
import { Sessions } from "./sessions";
import { OwnTokens } from "./tokens/own-tokens";
import { TwoFactor } from "./two-factor";

export const generateMetadata = (): Metadata => ({ title: t("Account") });

export default async function AccountPage() {
  const owner = await signedInOwner();
  const now = new Date();
  const ways = waysToSignIn();
  const [sessions, secondFactor, passkeys, identity, obstacles, reports, pending] = await Promise.all([
    listSessions(owner, now),
    readSecondFactor(owner.personId),
    listPasskeys(owner.personId),
    linkedIdentity(owner.personId),
    deletionBlockers(owner.personId, now),
    listSubscriptions(owner.personId),
    pendingEmail(owner.personId, now),
  ]);
  return (
    <div className="mx-auto max-w-2xl">
      <h1 className="mb-6 text-2xl font-semibold">{t("Account")}</h1>
      <div className="space-y-5">
        <Section title={t("Profile")}>
          <Profile name={owner.name} email={owner.email} pending={pending} />
          {!owner.confirmed && <ConfirmEmail />}
        </Section>
        {ways.password && (
          <Section title={t("Password")} about={t("Changing it signs out every other browser.")}>
            <PasswordForm email={owner.email} isNew={!owner.ways.password} />
          </Section>
        )}
        {ways.provider !== null && (
          <Provider
            provider={ways.provider}
            email={owner.email}
            identity={identity && { email: identity.email, seen: <LastUse {...identity} now={now} /> }}
          />
        )}
        {(ways.passkeys || passkeys.length > 0) && (
          <Passkeys
            passkeys={passkeys.map((one) => ({
              id: one.id,
              name: one.name,
              formerHost: one.formerHost,
              seen: <LastUse {...one} now={now} />,
            }))}
            turnsOn={!owner.secondFactor}
          />
        )}
        <TwoFactor
          {...secondFactor}
          hasPasskey={owner.ways.passkey || owner.ways.formerPasskey}
          proofs={proofsOf(owner)}
        />
        <Secure email={owner.email} withPassword={ways.password} />
        <Sessions
          sessions={sessions.map(({ id, device, current, createdAt, lastSeenAt }) => ({
            id,
            device: device === null ? t("An unknown browser") : nameOf(device),
            current,
            since: createdAt,
            seen: rich("Signed in {start}, last seen {seen}", {
              start: <When at={createdAt} now={now} />,
              seen: <When at={lastSeenAt} now={now} />,
            }),
          }))}
        />
        <OwnTokens personId={owner.personId} now={now} />
        <EmailReports sites={reports.map((one) => ({ ...one, domain: legibleHost(one.domain) }))} />
        <Section
          title={t("Log")}
          about={t(
            "What you, your agents and your tokens did, and what was done to your account: when, and what changed.",
          )}
        >
          <ButtonLink href="/account/log" look="quiet">
            {t("Open the log")}
          </ButtonLink>
        </Section>
        <Section
          title={t("Your data")}
          about={t(
            "What is stored about you: the account, sign-ins, roles, agents, tokens, invitations and decisions, without secrets. Analytics data is in the reports of your sites; audit logs stay with the sites.",
          )}
        >
          <DownloadLink
            href="/account/export"
            className="inline-flex h-10 items-center gap-2 rounded-lg border border-line bg-surface px-4 text-[0.9375rem] font-medium hover:bg-sunken"
          >
            <Download />
            {t("Download as JSON")}
          </DownloadLink>
        </Section>
        <DeleteAccount email={owner.email} {...obstacles} now={now} />
      </div>
    </div>
  );
}

function LastUse({ createdAt, lastUsedAt, now }: { createdAt: Date; lastUsedAt: Date | null; now: Date }) {
  const added = <When at={createdAt} now={now} />;
  if (!lastUsedAt) return rich("Added {added}, not used yet", { added });
  return rich("Added {added}, last used {used}", { added, used: <When at={lastUsedAt} now={now} /> });
}

/** Devices are stored as "Firefox on Windows". */
function nameOf(device: string): string {
  const [browser = "", system] = device.split(" on ");
  return system ? t("{browser} on {system}", { browser, system }) : browser;
}
