import type { Metadata } from "next";
import { Section } from "@/components/ui/section";
import { When } from "@/components/ui/when";
import { ROLES } from "@/lib/contract/vocabulary";
import { legibleHost } from "@/lib/platform/legible-host";
import { listInvitations } from "@/lib/sites/invitations";
import { listMembers } from "@/lib/sites/members";
import { openSettings, type SettingsProps } from "../access";
import { SettingsFrame } from "../frame";
import { InviteForm } from "./invite-form";
import { Members } from "./members";
import { WaitingInvitations } from "./waiting-invitations";

export const metadata: Metadata = { title: "People" };

export default async function PeoplePage(props: SettingsProps) {
  const { owner, site } = await openSettings("people", props);
  const now = new Date();
  const [members, waiting] = await Promise.all([listMembers(site.site_id), listInvitations(site.site_id, now)]);
  const manages = site.role === "owner";
  return (
    <SettingsFrame site={site} page="people">
      <Members
        site={{ siteId: site.site_id, domain: legibleHost(site.domain) }}
        manages={manages}
        members={members.map(({ personId, email, name, role }) => ({
          personId,
          email,
          name,
          role,
          you: personId === owner.personId,
        }))}
      />
      {manages && <InviteForm siteId={site.site_id} />}
      {waiting.length > 0 && (
        <WaitingInvitations
          siteId={site.site_id}
          manages={manages}
          invitations={waiting.map(({ id, email, role, expiresAt }) => ({
            id,
            email,
            role,
            ends: <When at={expiresAt} now={now} />,
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
