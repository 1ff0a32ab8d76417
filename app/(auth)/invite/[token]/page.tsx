import type { Metadata } from "next";
import { ButtonLink } from "@/components/ui/button-link";
import { rich } from "@/components/ui/rich";
import { canJoinByInvitation } from "@/lib/account/join";
import { currentOwner } from "@/lib/auth/session";
import { hasAccount } from "@/lib/auth/signup";
import { waysToSignIn } from "@/lib/auth/ways";
import { ROLES } from "@/lib/contract/access";
import { db } from "@/lib/platform/db";
import { legibleHost } from "@/lib/platform/legible-host";
import { plainText } from "@/lib/platform/text";
import { type InvitationDetails, readInvitation } from "@/lib/sites/invitations";
import { maskEmail } from "@/lib/sites/people";
import { t } from "@/lib/texts/translate";
import { OtherWays } from "../../other-ways";
import { Accept } from "./accept";
import { JoinForm } from "./join-form";
import { SignOutFirst } from "./sign-out-first";

export const generateMetadata = (): Metadata => ({ title: t("Invitation"), referrer: "no-referrer" });

export default async function InvitePage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  const invitation = await readInvitation(db(), token, new Date());
  if (!invitation) return <EndedInvitation />;
  return (
    <>
      <h1 className="text-2xl font-semibold break-words">{t("Join {name}", { name: calledIn(invitation) })}</h1>
      <p className="mt-1 mb-6 break-words text-muted">
        {rich(
          "{person} invites you as <strong>{role, select, owner {owner} manager {manager} other {viewer}}</strong>, who {about}{place, select, team {, on all sites of the team} other {}}.",
          {
            person: invitation.invitedBy,
            role: invitation.role,
            about: t(ROLES[invitation.role].about),
            place: invitation.place.siteId === undefined ? "team" : "site",
            strong: (text) => <strong className="text-ink">{text}</strong>,
          },
        )}
      </p>
      <NextStep invitation={invitation} token={token} />
    </>
  );
}

/** Returns what the person joins, as a button says it. */
const calledIn = ({ place, name }: InvitationDetails): string =>
  place.siteId === undefined ? plainText(name) : legibleHost(name);

/** The page to open afterwards. */
const homeOf = ({ place }: InvitationDetails): string =>
  place.siteId === undefined ? `/teams/${place.teamId}` : `/sites/${place.siteId}`;

/** Shows what is needed to accept: a click, switching accounts, signing in, or creating an account. */
async function NextStep({ invitation, token }: { invitation: InvitationDetails; token: string }) {
  const { email } = invitation;
  const owner = await currentOwner();
  if (owner?.email === email) {
    return <Accept token={token} name={calledIn(invitation)} email={email} />;
  }
  if (owner) return <SignOutFirst invited={maskEmail(email)} signedIn={owner.email} />;
  if (!(await hasAccount(email)) && canJoinByInvitation()) {
    return (
      <div className="space-y-4">
        <JoinForm token={token} email={email} home={homeOf(invitation)} />
        <OtherWays provider={waysToSignIn().provider} below next={`/invite/${token}`} />
      </div>
    );
  }
  return (
    <div className="card space-y-4 p-5">
      <p className="text-sm">
        {rich("Sign in as <strong>{email}</strong> to accept.", {
          email,
          strong: (text) => <strong className="break-words">{text}</strong>,
        })}
      </p>
      <ButtonLink href={`/login?next=${encodeURIComponent(`/invite/${token}`)}`} className="w-full">
        {t("Sign in")}
      </ButtonLink>
    </div>
  );
}

const EndedInvitation = () => (
  <>
    <h1 className="text-2xl font-semibold">{t("This invitation is no longer valid")}</h1>
    <p className="mt-1 mb-6 text-muted">
      {t(
        "It was accepted, withdrawn or renewed, or it is older than seven days. Ask the person who invited you for a new one.",
      )}
    </p>
    <ButtonLink href="/sites" className="w-full">
      {t("Your sites")}
    </ButtonLink>
  </>
);
