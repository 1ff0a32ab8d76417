"use client";

import { useAction } from "@/components/actions/actions";
import { rich } from "@/components/ui/rich";
import { Section } from "@/components/ui/section";
import { TextLink } from "@/components/ui/text-link";
import { TypedConfirmation } from "@/components/ui/typed-confirmation";
import { When } from "@/components/ui/when";
import type { DeletionBlockers, SoleSite } from "@/lib/account/delete-account";
import { signOut } from "@/lib/auth/sign-out";
import { msg, t } from "@/lib/texts/translate";

interface Props extends DeletionBlockers {
  email: string;
  now: Date;
}

const ABOUT = msg(
  "Deleted immediately and permanently, with your sign-ins, roles, agents and tokens. Sites stay with their other owners.",
);

/** Deletes the account, or says what has to be done first. */
export function DeleteAccount({ email, runsService, returnsUntil, sites, teams, now }: Props) {
  return (
    <Section title={t("Delete your account")} about={t(ABOUT)}>
      {runsService ? (
        <p className="text-sm text-muted">
          {t("You are the only administrator of this service. Name another one on the admin page first.")}
        </p>
      ) : returnsUntil ? (
        <p className="text-sm text-muted">
          {rich(
            "Your email address was changed, and the former one can still take the account back. You can delete it {when}.",
            { when: <When at={returnsUntil} now={now} /> },
          )}
        </p>
      ) : sites.length > 0 ? (
        <SitesFirst sites={sites} />
      ) : teams.length > 0 ? (
        <TeamsFirst teams={teams} />
      ) : (
        <DeleteForm email={email} />
      )}
    </Section>
  );
}

/** Lists the sites that only this person owns: each needs another owner, or has to be deleted. */
const SitesFirst = ({ sites }: { sites: SoleSite[] }) => (
  <div className="text-sm">
    <p>
      {t(
        "You are the only owner of {count, plural, one {a site} other {# sites}}. Transfer each to one of its members or delete it first.",
        { count: sites.length },
      )}
    </p>
    <ul className="mt-3 divide-y divide-line">
      {sites.map(({ siteId, domain }) => (
        <li key={siteId} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
          <span className="min-w-0 font-medium break-all">{domain}</span>
          <TextLink href={`/sites/${siteId}/settings/danger`}>
            {rich("Transfer or delete<hidden> {domain}</hidden>", {
              domain,
              hidden: (text) => <span className="sr-only">{text}</span>,
            })}
          </TextLink>
        </li>
      ))}
    </ul>
  </div>
);

/** Lists the teams that only this person owns, and which others are in. */
const TeamsFirst = ({ teams }: Pick<Props, "teams">) => (
  <div className="text-sm">
    <p>
      {t(
        "You are the only owner of {count, plural, one {a team} other {# teams}} with other members. Make one of them an owner first, or remove them.",
        { count: teams.length },
      )}
    </p>
    <ul className="mt-3 divide-y divide-line">
      {teams.map(({ teamId, name }) => (
        <li key={teamId} className="py-2">
          <TextLink href={`/teams/${teamId}`}>{name}</TextLink>
        </li>
      ))}
    </ul>
  </div>
);

function DeleteForm({ email }: { email: string }) {
  const { perform, busy, problems } = useAction("account.delete");

  async function end() {
    if (!(await perform({}))) return;
    // The session was deleted with the account: this only clears its cookie.
    await Promise.allSettled([signOut()]);
    window.location.assign("/");
  }

  return <TypedConfirmation name={email} busy={busy} problem={problems.message} onConfirm={end} />;
}
