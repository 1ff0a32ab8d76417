import type { Metadata } from "next";
import { query } from "@/app/(owner)/access";
import { Section } from "@/components/ui/section";
import { When } from "@/components/ui/when";
import { ROLES } from "@/lib/contract/vocabulary";
import sitesMembersList from "@/lib/operations/sites.members.list";
import { legibleHost } from "@/lib/platform/legible-host";
import { openSettings, type SettingsProps } from "../access";
import { SettingsFrame } from "../frame";
import { InviteForm } from "./invite-form";
import { Members } from "./members";
import { WaitingInvitations } from "./waiting-invitations";

export const metadata: Metadata = { title: "People" };

export default async function PeoplePage(props: SettingsProps) {
  const { owner, site } = await openSettings("people", props);
  const now = new Date();
  const { members, invitations } = await query(sitesMembersList, owner, { site_id: site.site_id }, now);
  const manages = site.role === "owner";
  return (
    <SettingsFrame site={site} page="people">
      <Members
        site={{ siteId: site.site_id, domain: legibleHost(site.domain) }}
        manages={manages}
        members={members.map(({ person_id, email, name, role }) => ({
          personId: person_id,
          email,
          name,
          role,
          you: person_id === owner.personId,
        }))}
      />
      {manages && <InviteForm siteId={site.site_id} />}
      {invitations.length > 0 && (
        <WaitingInvitations
          siteId={site.site_id}
          manages={manages}
          invitations={invitations.map(({ invitation_id, email, role, expires_at }) => ({
            id: invitation_id,
            email,
            role,
            ends: <When at={new Date(expires_at)} now={now} />,
          }))}
        />
      )}
      <Section title="Roles">
        <dl className="-my-2 divide-y divide-line text-sm">
          {Object.entries(ROLES).map(([role, { about }]) => (
            <div key={role} className="grid gap-x-4 py-2 sm:grid-cols-[6rem_1fr]">
              <dt className="font-medium capitalize">{role}</dt>
              <dd className="text-muted first-letter:uppercase">{about}.</dd>
            </div>
          ))}
        </dl>
        {!manages && <p className="mt-4 text-sm text-muted">Only owners invite people and change roles.</p>}
      </Section>
    </SettingsFrame>
  );
}
