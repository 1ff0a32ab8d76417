import { formatExactly } from "@/components/reports/format";
import { DataTable } from "@/components/reports/pages/data-table";
import { LiftPlot } from "@/components/reports/pages/lift-plot";
import type { Sheet } from "@/components/reports/pages/sheet";
import type { Experiment, ExperimentsAnswer } from "@/components/reports/pages/sheets/experiments";
import { Teach } from "@/components/reports/pages/teach";
import { Badge } from "@/components/ui/badge";
import { Notice } from "@/components/ui/notice";

interface Props {
  answer: ExperimentsAnswer;
  sheets: Map<string, Sheet>;
}

/** How the variants of each experiment convert, and how sure that is. */
export function ExperimentsReport({ answer: { experiments }, sheets }: Props) {
  if (experiments.length === 0) {
    return (
      <Teach
        title="No experiment in this range"
        code={'footfall("exposure", { exposure: { experiment: "checkout", variant: "b" } });'}
        docs={{ href: "/docs/tracker", label: "How to send exposures" }}
      >
        Say which variant a visitor was shown, at the moment they see it. Whoever converts afterwards counts for that
        variant.
      </Teach>
    );
  }
  return experiments.map((experiment, index) => (
    <Result key={experiment.experiment} experiment={experiment} sheet={sheets.get(`experiment-${index + 1}`)} />
  ));
}

function Result({ experiment, sheet }: { experiment: Experiment; sheet: Sheet | undefined }) {
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

const aimOf = ({ goal, conversion_basis }: Experiment): string => {
  if (conversion_basis === "goal") return `they reach “${goal}”`;
  return conversion_basis === "goals" ? "they reach any goal of the site" : "they cause any event";
};
