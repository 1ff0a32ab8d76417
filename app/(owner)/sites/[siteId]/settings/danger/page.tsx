import type { Metadata } from "next";
import { lossOf } from "@/lib/agents/loss";
import { legibleHost } from "@/lib/platform/legible-host";
import { listMembers } from "@/lib/sites/members";
import { openSettings, type SettingsProps } from "../access";
import { SettingsFrame } from "../frame";
import { DeleteSite } from "./delete-site";
import { TransferSite } from "./transfer-site";

export const metadata: Metadata = { title: "Danger zone" };

export default async function DangerPage(props: SettingsProps) {
  const { owner, site } = await openSettings("danger", props);
  const [members, loss] = await Promise.all([listMembers(site.site_id), lossOf(site.site_id, null, new Date())]);
  const others = members.filter(({ personId }) => personId !== owner.personId);
  const named = { siteId: site.site_id, domain: legibleHost(site.domain) };
  return (
    <SettingsFrame site={site} page="danger">
      <TransferSite
        site={named}
        members={others.map(({ personId, email, name }) => ({
          personId,
          label: name ? `${name} (${email})` : email,
        }))}
      />
      <DeleteSite site={named} loss={loss} />
    </SettingsFrame>
  );
}
