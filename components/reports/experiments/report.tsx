import { defineReport, type Place } from "@/components/reports/definition";
import { experimentSheets } from "@/components/reports/experiments/sheets";
import { manages } from "@/lib/contract/vocabulary";
import analyticsExperiments from "@/lib/operations/analytics.experiments";
import { creatorsOf } from "@/lib/sites/saved/creators";
import { listExperiments } from "@/lib/sites/saved/experiments";
import { listGoals } from "@/lib/sites/saved/goals";

export default defineReport({
  title: "Experiments",
  op: analyticsExperiments,
  sheets: experimentSheets,
  alone: true,
  async body({ answer, sheets, site, onDashboard }) {
    const { ExperimentsReport } = await import("@/components/reports/experiments/body");
    const saves = !onDashboard && manages(site.role);
    const saving = saves ? { siteId: site.site_id, goals: await goalsOf(site) } : null;
    return <ExperimentsReport answer={answer} sheets={sheets} saving={saving} />;
  },
  below: ({ site, owner }) => <Planned site={site} owner={owner} />,
});

const goalsOf = async ({ site_id }: Place["site"]) => (await listGoals(site_id)).map(({ name }) => name);

async function Planned({ site, owner }: Pick<Place, "site" | "owner">) {
  const { Plans } = await import("@/components/reports/experiments/plans");
  const [saved, goals, creatorOf] = await Promise.all([
    listExperiments(site.site_id),
    goalsOf(site),
    creatorsOf(site.site_id, owner.personId),
  ]);
  const plans = saved.map(({ id, name, variants, goal, endedAt, createdById }) => ({
    id,
    name,
    variants,
    goal,
    ended: endedAt !== null,
    maker: creatorOf(createdById),
  }));
  return <Plans siteId={site.site_id} plans={plans} goals={goals} manages={manages(site.role)} />;
}
