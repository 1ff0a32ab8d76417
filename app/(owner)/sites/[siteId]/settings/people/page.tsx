import type { Metadata } from "next";
import { query } from "@/app/(owner)/access";
import { Section } from "@/components/ui/section";
import { When } from "@/components/ui/when";
import { ROLES, type Role } from "@/lib/contract/access";
import sitesMembersList from "@/lib/operations/sites.members.list";
import teamsList from "@/lib/operations/teams.list";
import { legibleHost } from "@/lib/platform/legible-host";
import { t } from "@/lib/texts/translate";
import { openSettings, type SettingsProps } from "../access";
import { SettingsFrame } from "../frame";
import { InviteForm } from "./invite-form";
import { Members } from "./members";
import { ROLE_NAMES } from "./roles";
import { SiteTeam } from "./site-team";
import { WaitingInvitations } from "./waiting-invitations";

export const generateMetadata = (): Metadata => ({ title: t("People") });

export default async function PeoplePage(props: SettingsProps) {
  const { owner, site } = await openSettings("people", props);
  const now = new Date();
  const { members, invitations, team } = await query(sitesMembersList, owner, { site_id: site.site_id }, now);
  const { teams } = await query(teamsList, owner, {}, now);
  const place = { site_id: site.site_id, name: legibleHost(site.domain) };
  const manages = site.role === "owner";
  return (
    <SettingsFrame site={site} page="people">
      <Members
        place={place}
        manages={manages}
        members={members.map(({ person_id, email, name, role, team_role }) => ({
          personId: person_id,
          email,
          name,
          role,
          byTeam: role === team_role,
          you: person_id === owner.personId,
        }))}
      />
      {manages && <InviteForm place={place} />}
      {invitations.length > 0 && (
        <WaitingInvitations
          place={place}
          manages={manages}
          invitations={invitations.map(({ invitation_id, email, role, expires_at }) => ({
            id: invitation_id,
            email,
            role,
            ends: <When at={new Date(expires_at)} now={now} />,
          }))}
        />
      )}
      <SiteTeam
        site={{ siteId: site.site_id, name: place.name }}
        team={
          team && { teamId: team.team_id, name: team.name, isMine: teams.some((one) => one.team_id === team.team_id) }
        }
        choices={teams
          .filter((one) => one.role === "owner" && one.team_id !== team?.team_id)
          .map((one) => ({ teamId: one.team_id, name: one.name }))}
        manages={manages}
      />
      <Section title={t("Roles")}>
        <dl className="-my-2 divide-y divide-line text-sm">
          {Object.entries(ROLES).map(([role, { about }]) => (
            <div key={role} className="grid gap-x-4 py-2 sm:grid-cols-[6rem_1fr]">
              <dt className="font-medium">{t(ROLE_NAMES[role as Role])}</dt>
              <dd className="text-muted first-letter:uppercase">{t(about)}.</dd>
            </div>
          ))}
        </dl>
        {!manages && <p className="mt-4 text-sm text-muted">{t("Only owners invite people and change roles.")}</p>}
      </Section>
    </SettingsFrame>
  );
}
