import Link from "next/link";
import { formatWindow } from "@/components/reports/funnel-text";
import { conditionText, type Funnel, type FunnelsAnswer } from "@/components/reports/funnels/sheets";
import { StepBars } from "@/components/reports/funnels/step-bars";
import { TableTwin } from "@/components/reports/parts/table-twin";
import { filteredByStep } from "@/components/reports/row-filter";
import { formatFraction, type ReportProps } from "@/components/reports/sheet";
import { TextLink } from "@/components/ui/text-link";
import { legiblePath } from "@/lib/platform/legible";
import { t } from "@/lib/texts/translate";

interface Props extends ReportProps<FunnelsAnswer> {
  /** Returns the URL of a funnel's page. */
  details: ((funnel: string) => string) | null;
  /** Whether the user can change funnels. */
  manages: boolean;
}

/** Report: the saved funnels with their steps. */
export function FunnelsReport({ answer: { funnels, meta }, sheets, details, manages }: Props) {
  return (
    <>
      {funnels.length === 0 && (
        <p className="px-1 text-sm text-muted">
          {details === null
            ? t("No saved funnels.")
            : manages
              ? t(
                  "No saved funnels. Build one here: it is shown immediately, and you can share its URL or save it for the site.",
                )
              : t("No saved funnels. Build one here: it is shown immediately, and you can share its URL.")}
        </p>
      )}
      {funnels.map((funnel, index) => (
        <section key={funnel.funnel_id} aria-label={funnel.name} className="space-y-2">
          <div className="card">
            <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 px-4 pt-3.5 pb-3">
              <h2 className="min-w-0 text-[0.9375rem] font-semibold break-words">{funnel.name}</h2>
              <p className="flex flex-wrap gap-x-4 text-sm text-muted">
                <span>{rateText(funnel)}</span>
                {details && <TextLink href={details(funnel.name)}>{t("Details")}</TextLink>}
                {details && manages && (
                  <Link
                    href={`${details(funnel.name)}#build`}
                    prefetch={false}
                    aria-label={t("Edit {name}", { name: funnel.name })}
                    className="text-accent underline"
                  >
                    {t("Edit")}
                  </Link>
                )}
              </p>
            </div>
            <StepBars steps={barsOf(funnel, meta)} />
          </div>
          <TableTwin sheet={sheets.get(`funnel-${index + 1}`)} />
        </section>
      ))}
    </>
  );
}

type Step = Funnel["steps"][number];
type Progress = Pick<Funnel, "conversion_rate" | "window_minutes"> & {
  comparison: Pick<Funnel, "conversion_rate"> | null;
};

/** "12.5% convert, was 11%, within 24 hours". */
export function rateText({ conversion_rate, comparison, window_minutes }: Progress): string {
  const known = { rate: formatFraction(conversion_rate), time: formatWindow(window_minutes) };
  return comparison
    ? t("{rate} convert, was {before}, within {time}", { ...known, before: formatFraction(comparison.conversion_rate) })
    : t("{rate} convert, within {time}", known);
}

export const barsOf = ({ steps }: Pick<Funnel, "steps">, meta: FunnelsAnswer["meta"]) =>
  steps.map(({ name, kind, pattern, visitors, conversion_from_first, conversion_from_previous }, index) => ({
    link: filteredByStep(meta, { kind, pattern }),
    lostLink: index > 0 ? filteredByStep(meta, steps[index - 1] as Step, { kind, pattern }) : null,
    name: legiblePath(name),
    how: conditionText({ kind, pattern: legiblePath(pattern) }),
    visitors,
    fromFirst: conversion_from_first,
    fromPrevious: conversion_from_previous,
  }));
