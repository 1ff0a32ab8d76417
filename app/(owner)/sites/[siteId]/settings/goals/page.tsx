import type { Metadata } from "next";
import { query } from "@/app/(owner)/access";
import { writeFilters } from "@/components/reports/filters";
import { funnelInWords } from "@/components/reports/funnel-text";
import { addressOf } from "@/components/reports/view";
import { manages } from "@/lib/contract/access";
import sitesFunnelsList from "@/lib/operations/sites.funnels.list";
import sitesGoalsList from "@/lib/operations/sites.goals.list";
import { t } from "@/lib/texts/translate";
import { creatorsOf } from "../../creators";
import { openSettings, type SettingsProps } from "../access";
import { SettingsFrame } from "../frame";
import { Funnels } from "./funnels";
import { Goals } from "./goals";

export const generateMetadata = (): Metadata => ({ title: t("Goals and funnels") });

export default async function GoalsPage(props: SettingsProps) {
  const { owner, site } = await openSettings("goals", props);
  const siteId = site.site_id;
  const [{ goals }, { funnels }, creatorOf] = await Promise.all([
    query(sitesGoalsList, owner, { site_id: siteId }),
    query(sitesFunnelsList, owner, { site_id: siteId }),
    creatorsOf(siteId, owner.personId),
  ]);
  const shared = { siteId, manages: manages(site.role) };
  return (
    <SettingsFrame site={site} page="goals">
      <Goals
        {...shared}
        currency={site.reporting_currency}
        goals={goals.map(({ id, name, reached_by, also_reached_by, properties, value, created_by }) => ({
          id,
          name,
          ...reached_by,
          also: also_reached_by,
          properties,
          value,
          maker: creatorOf(created_by),
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
          about: funnelInWords({ steps: funnel.steps, windowMinutes: funnel.window_minutes }),
          maker: creatorOf(funnel.created_by),
          href: addressOf(`/sites/${siteId}/reports/funnel`, { funnel: funnel.id }),
        }))}
      />
    </SettingsFrame>
  );
}
