import { defineReport, type Place } from "@/components/reports/definition";
import { experimentsSay } from "@/components/reports/experiments/says";
import { experimentSheets } from "@/components/reports/experiments/sheets";
import { manages } from "@/lib/contract/access";
import analyticsExperiments from "@/lib/operations/analytics.experiments";
import sitesExperimentsList from "@/lib/operations/sites.experiments.list";
import sitesGoalsList from "@/lib/operations/sites.goals.list";

export default defineReport({
  op: analyticsExperiments,
  sheets: experimentSheets,
  says: experimentsSay,
  alone: true,
  async body({ answer, sheets, onDashboard, ...place }) {
    const { ExperimentsReport } = await import("@/components/reports/experiments/body");
    const saves = !onDashboard && manages(place.site.role);
    const saving = saves ? { siteId: place.site.site_id, goals: await goalsOf(place) } : null;
    return <ExperimentsReport answer={answer} sheets={sheets} saving={saving} />;
  },
  below: (place) => <Planned {...place} />,
});

type Reading = Pick<Place, "site" | "read">;

const goalsOf = async ({ site, read }: Reading) =>
  (await read(sitesGoalsList, { site_id: site.site_id })).goals.map(({ name }) => name);

async function Planned({ site, read, creators }: Reading & Pick<Place, "creators">) {
  const { LazyPlans } = await import("@/components/reports/experiments/lazy-parts");
  const [{ experiments }, goals, creatorOf] = await Promise.all([
    read(sitesExperimentsList, { site_id: site.site_id }),
    goalsOf({ site, read }),
    creators(),
  ]);
  const plans = experiments.map(({ id, name, variants, goal, ended_at, created_by }) => ({
    id,
    name,
    variants,
    goal,
    ended: ended_at !== null,
    maker: creatorOf(created_by),
  }));
  return <LazyPlans siteId={site.site_id} plans={plans} goals={goals} manages={manages(site.role)} />;
}
