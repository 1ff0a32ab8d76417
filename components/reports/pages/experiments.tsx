import type { Plan } from "@/components/reports/experiment-dialog";
import { DataTable } from "@/components/reports/pages/data-table";
import { EmptyReport } from "@/components/reports/pages/empty-report";
import { LiftPlot } from "@/components/reports/pages/lift-plot";
import type { Experiment, ExperimentsAnswer } from "@/components/reports/pages/sheets/experiments";
import { PlanButton } from "@/components/reports/plan-button";
import type { Sheet } from "@/components/reports/sheet";
import { Badge } from "@/components/ui/badge";
import { formatExactly } from "@/components/ui/format";
import { Notice } from "@/components/ui/notice";

interface Props {
  answer: ExperimentsAnswer;
  sheets: Map<string, Sheet>;
  /** How one that was only seen is saved; null for those who may not. */
  saving: Saving | null;
}

interface Saving {
  siteId: number;
  /** The names of the site's goals. */
  goals: string[];
}

/** How the variants of each experiment convert, and how sure that is. */
export function ExperimentsReport({ answer: { experiments }, sheets, saving }: Props) {
  if (experiments.length === 0) {
    return (
      <EmptyReport
        title="No experiment in this range"
        code={'footfall("exposure", { exposure: { experiment: "checkout", variant: "b" } });'}
        docs={{ href: "/docs/tracker", label: "How to send exposures" }}
      >
        Say which variant a visitor was shown, at the moment they see it. Whoever converts afterwards counts for that
        variant.
      </EmptyReport>
    );
  }
  return experiments.map((experiment, index) => (
    <Result
      key={experiment.experiment}
      experiment={experiment}
      sheet={sheets.get(`experiment-${index + 1}`)}
      saving={saving}
    />
  ));
}

interface ResultProps {
  experiment: Experiment;
  sheet: Sheet | undefined;
  saving: Saving | null;
}

function Result({ experiment, sheet, saving }: ResultProps) {
  const {
    experiment: name,
    saved,
    ended_at,
    enough_data,
    missing,
    sample_ratio,
    exposed,
    excluded,
    variants,
  } = experiment;
  return (
    <section aria-label={name} className="space-y-3">
      <h2 className="flex flex-wrap items-center gap-2 px-1 text-lg font-semibold">
        <span className="min-w-0 break-words">{name}</span>
        {ended_at ? <Badge>ended</Badge> : null}
        {!saved && <Badge>not saved</Badge>}
        <Badge tone={enough_data ? "good" : "warn"}>{enough_data ? "enough data" : "not enough data"}</Badge>
        {!saved && saving && <PlanButton {...saving} plan={planOf(experiment)} />}
      </h2>
      <p className="px-1 text-sm text-muted">
        {formatExactly(exposed)} {exposed === 1 ? "visitor" : "visitors"}, counted when {aimOf(experiment)}.
        {excluded > 0 && ` ${formatExactly(excluded)} more were shown several variants and are in no number.`}
      </p>
      {sample_ratio?.mismatch && (
        <Notice>
          Visitors were not split as planned (p = {sample_ratio.p_value.toPrecision(2)}): the assignment or the counting
          is broken, and the results say nothing.
        </Notice>
      )}
      {!enough_data && missing.length > 0 && <Notice tone="warn">{missing.join(" ")}</Notice>}
      {variants.some(({ lift_interval }) => lift_interval) && <LiftPlot variants={variants} />}
      {sheet && <DataTable sheet={sheet} />}
    </section>
  );
}

/** What was seen, as a plan to begin with: the control first, equal shares. */
const planOf = ({ experiment, variants, ended_at }: Experiment): Plan => ({
  id: null,
  name: experiment,
  variants: [...variants.filter(({ control }) => control), ...variants.filter(({ control }) => !control)].map(
    ({ variant }) => ({ name: variant, weight: 1 }),
  ),
  goal: "",
  ended: ended_at !== null,
});

const aimOf = ({ goal, conversion_basis }: Experiment): string => {
  if (conversion_basis === "goal") return `they reach “${goal}”`;
  return conversion_basis === "goals" ? "they reach any goal of the site" : "they cause any event";
};
