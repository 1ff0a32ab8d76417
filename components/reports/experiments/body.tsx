import type { Plan } from "@/components/reports/experiments/experiment-dialog";
import { LazyPlanButton } from "@/components/reports/experiments/lazy-parts";
import { LiftPlot } from "@/components/reports/experiments/lift-plot";
import type { Experiment, ExperimentsAnswer } from "@/components/reports/experiments/sheets";
import { verdictOf } from "@/components/reports/experiments/verdict";
import { DataTable } from "@/components/reports/parts/data-table";
import { EmptyReport } from "@/components/reports/parts/empty-report";
import type { ReportProps, Sheet } from "@/components/reports/sheet";
import { Badge } from "@/components/ui/badge";
import { Notice } from "@/components/ui/notice";
import { formatExactly } from "@/lib/contract/numbers";
import { t } from "@/lib/texts/translate";

interface Props extends ReportProps<ExperimentsAnswer> {
  /** For saving a plan of an experiment without one; null if the user cannot. */
  saving: Saving | null;
}

interface Saving {
  siteId: number;
  /** Names of the site's goals. */
  goals: string[];
}

/** Report: conversion of the variants of each experiment, with statistics. */
export function ExperimentsReport({ answer: { experiments }, sheets, saving }: Props) {
  if (experiments.length === 0) {
    return (
      <EmptyReport
        title={t("No experiment in this range")}
        code={'footfall("exposure", { exposure: { experiment: "checkout", variant: "b" } });'}
        docs={{ href: "/docs/tracker", label: t("How to send exposures") }}
      >
        {t(
          "Send an exposure event when a visitor sees a variant. Later conversions of the visitor count for that variant.",
        )}
      </EmptyReport>
    );
  }
  return experiments.map((experiment, index) => (
    <ExperimentResult
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

function ExperimentResult({ experiment, sheet, saving }: ResultProps) {
  const { experiment: name, saved, ended_at, exposed, excluded, variants } = experiment;
  const verdict = verdictOf(experiment);
  return (
    <section aria-label={name} className="space-y-3">
      <h2 className="flex flex-wrap items-center gap-2 px-1 text-lg font-semibold">
        <span className="min-w-0 break-words">{name}</span>
        {ended_at ? <Badge>{t("ended")}</Badge> : null}
        {!saved && <Badge>{t("not saved")}</Badge>}
        {!saved && saving && <LazyPlanButton {...saving} plan={planOf(experiment)} />}
      </h2>
      <Notice tone={verdict.tone}>
        <strong className="block font-semibold break-words">{verdict.title}</strong>
        <span className="break-words">{verdict.text}</span>
      </Notice>
      <p className="px-1 text-sm text-muted">
        {t("{count, plural, one {# visitor} other {# visitors}}.", { count: exposed })} {conversionOf(experiment)}
        {excluded > 0 &&
          ` ${t("{count} more saw several variants and are excluded.", { count: formatExactly(excluded) })}`}
      </p>
      {variants.some(({ lift_interval }) => lift_interval) && <LiftPlot variants={variants} />}
      {sheet && <DataTable sheet={sheet} />}
    </section>
  );
}

/** Returns a plan for an experiment without one: the control first, equal weights. */
const planOf = ({ experiment, variants, ended_at }: Experiment): Plan => ({
  id: null,
  name: experiment,
  variants: [...variants.filter(({ control }) => control), ...variants.filter(({ control }) => !control)].map(
    ({ variant }) => ({ name: variant, weight: 1 }),
  ),
  goal: "",
  ended: ended_at !== null,
});

const conversionOf = ({ goal, conversion_basis }: Experiment): string => {
  if (conversion_basis === "goal") return t("They convert when they reach “{goal}”.", { goal: goal ?? "" });
  return conversion_basis === "goals"
    ? t("They convert when they reach any goal of the site.")
    : t("They convert when they trigger any event.");
};
