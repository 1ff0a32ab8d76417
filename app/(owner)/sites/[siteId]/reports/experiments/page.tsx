import { ExperimentsReport } from "@/components/reports/pages/experiments";
import { Plans } from "@/components/reports/plans";
import type { SiteShape } from "@/lib/contract/fields";
import { manages } from "@/lib/contract/vocabulary";
import { listExperiments } from "@/lib/sites/saved/experiments";
import { listGoals } from "@/lib/sites/saved/goals";
import { signedInOwnerOrNull } from "../../../../access";
import { creatorsOf } from "../../creators";
import { reportPage, titleOf } from "../report";

export const generateMetadata = titleOf("experiments");

export default reportPage(
  "experiments",
  async ({ answer, sheets, site }) => (
    <ExperimentsReport
      answer={answer}
      sheets={sheets}
      saving={manages(site.role) ? { siteId: site.site_id, goals: await goalsOf(site) } : null}
    />
  ),
  { below: (_, site) => <Planned site={site} /> },
);

const goalsOf = async ({ site_id }: SiteShape) => (await listGoals(site_id)).map(({ name }) => name);

async function Planned({ site }: { site: SiteShape }) {
  const owner = await signedInOwnerOrNull();
  if (!owner) return null;
  const [saved, goals, creatorOf] = await Promise.all([
    listExperiments(site.site_id),
    goalsOf(site),
    creatorsOf(site.site_id, owner.personId),
  ]);
  const plans = saved.map(({ id, name, variants, goal, endedAt, createdById }) => ({
    ...{ id, name, variants, goal },
    ended: endedAt !== null,
    maker: creatorOf(createdById),
  }));
  return <Plans siteId={site.site_id} plans={plans} goals={goals} manages={manages(site.role)} />;
}
