import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { ButtonLink } from "@/components/ui/button-link";
import { When } from "@/components/ui/when";
import sitesList from "@/lib/operations/sites.list";
import teamsList from "@/lib/operations/teams.list";
import { legibleHost } from "@/lib/platform/legible-host";
import { t } from "@/lib/texts/translate";
import { query, signedInOwner } from "../../access";
import { InviteForm } from "../../sites/[siteId]/settings/people/invite-form";
import { Members } from "../../sites/[siteId]/settings/people/members";
import { WaitingInvitations } from "../../sites/[siteId]/settings/people/waiting-invitations";
import { TeamName } from "./team-name";
import { TeamSites } from "./team-sites";

export const generateMetadata = (): Metadata => ({ title: t("Team") });

/** So many of the reader's own sites can be chosen here; others are moved on their own page. */
const CHOICES = 100;

export default async function TeamPage({ params }: { params: Promise<{ teamId: string }> }) {
  const [{ teamId }, owner, now] = [await params, await signedInOwner(), new Date()];
  const { teams } = await query(teamsList, owner, {}, now);
  const team = teams.find(({ team_id }) => `${team_id}` === teamId) ?? notFound();
  const manages = team.role === "owner";
  const own = manages ? (await query(sitesList, owner, { per_page: CHOICES }, now)).sites : [];
  const place = { team_id: team.team_id, name: team.name };
  return (
    <div className="mx-auto max-w-3xl space-y-4">
      <header className="flex flex-wrap items-end justify-between gap-3">
        <div className="min-w-0">
          <p className="text-sm">
            <Link href="/teams" className="text-muted hover:text-ink hover:underline">
              {t("Teams")}
            </Link>
          </p>
          <h1 className="text-2xl font-semibold break-words">{team.name}</h1>
        </div>
        {team.sites.length > 0 && (
          <ButtonLink href={`/sites/combined?team=${team.team_id}`} look="quiet">
            {t("Combined report")}
          </ButtonLink>
        )}
      </header>
      <TeamSites
        team={{ teamId: team.team_id, name: team.name }}
        sites={team.sites.map(({ site_id, domain }) => ({ siteId: site_id, name: legibleHost(domain) }))}
        choices={own
          .filter(({ role, site_id }) => role === "owner" && !team.sites.some((one) => one.site_id === site_id))
          .map(({ site_id, domain }) => ({ siteId: site_id, name: legibleHost(domain) }))}
        manages={manages}
      />
      <Members
        place={place}
        manages={manages}
        members={team.members.map(({ person_id, email, name, role }) => ({
          personId: person_id,
          email,
          name,
          role,
          you: person_id === owner.personId,
        }))}
      />
      {manages && <InviteForm place={place} />}
      {team.invitations.length > 0 && (
        <WaitingInvitations
          place={place}
          manages={manages}
          invitations={team.invitations.map(({ invitation_id, email, role, expires_at }) => ({
            id: invitation_id,
            email,
            role,
            ends: <When at={new Date(expires_at)} now={now} />,
          }))}
        />
      )}
      {manages && <TeamName team={{ teamId: team.team_id, name: team.name }} hasSites={team.sites.length > 0} />}
    </div>
  );
}
