import type { Metadata } from "next";
import { writeFilters } from "@/components/reports/filters";
import { describeFunnel } from "@/components/reports/funnel-text";
import { addressOf } from "@/components/reports/view";
import { manages } from "@/lib/contract/vocabulary";
import { creatorsOf } from "@/lib/sites/saved/creators";
import { listFunnels } from "@/lib/sites/saved/funnels";
import { listGoals } from "@/lib/sites/saved/goals";
import { openSettings, type SettingsProps } from "../access";
import { SettingsFrame } from "../frame";
import { Funnels } from "./funnels";
import { Goals } from "./goals";

export const metadata: Metadata = { title: "Goals and funnels" };

export default async function GoalsPage(props: SettingsProps) {
  const { owner, site } = await openSettings("goals", props);
  const siteId = site.site_id;
  const [goals, funnels, creatorOf] = await Promise.all([
    listGoals(siteId),
    listFunnels(siteId),
    creatorsOf(siteId, owner.personId),
  ]);
  const shared = { siteId, manages: manages(site.role) };
  return (
    <SettingsFrame site={site} page="goals">
      <Goals
        {...shared}
        goals={goals.map(({ id, name, kind, pattern, createdById }) => ({
          ...{ id, name, kind, pattern },
          maker: creatorOf(createdById),
          href: addressOf(`/sites/${siteId}`, {
            filters: writeFilters([{ key: `goal:${name}`, operator: "is", values: ["yes"] }]) ?? undefined,
          }),
        }))}
      />
      <Funnels
        {...shared}
        funnels={funnels.map((funnel) => ({
          id: funnel.id,
          name: funnel.name,
          about: describeFunnel(funnel),
          maker: creatorOf(funnel.createdById),
          href: addressOf(`/sites/${siteId}/reports/funnel`, { funnel: funnel.id }),
        }))}
      />
    </SettingsFrame>
  );
}
