import type { Metadata } from "next";
import { query } from "@/app/(owner)/access";
import { lossOf } from "@/lib/agents/loss";
import sitesMembersList from "@/lib/operations/sites.members.list";
import { legibleHost } from "@/lib/platform/legible-host";
import { t } from "@/lib/texts/translate";
import { openSettings, type SettingsProps } from "../access";
import { SettingsFrame } from "../frame";
import { DeleteSite } from "./delete-site";
import { TransferSite } from "./transfer-site";

export const generateMetadata = (): Metadata => ({ title: t("Danger zone") });

export default async function DangerPage(props: SettingsProps) {
  const { owner, site } = await openSettings("danger", props);
  const [{ members }, loss] = await Promise.all([
    query(sitesMembersList, owner, { site_id: site.site_id }),
    lossOf(site.site_id, null, new Date()),
  ]);
  const others = members.filter(({ person_id }) => person_id !== owner.personId);
  const named = { siteId: site.site_id, domain: legibleHost(site.domain) };
  return (
    <SettingsFrame site={site} page="danger">
      <TransferSite
        site={named}
        members={others.map(({ person_id, email, name }) => ({
          personId: person_id,
          label: name ? `${name} (${email})` : email,
        }))}
      />
      <DeleteSite site={named} loss={loss} />
    </SettingsFrame>
  );
}
