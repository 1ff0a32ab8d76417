import { type ChangesAnswer, cellOf, kindOfChange } from "@/components/reports/changes/sheets";
import type { Filter } from "@/components/reports/filters";
import { DataTable } from "@/components/reports/parts/data-table";
import { LazyFindingLine } from "@/components/reports/parts/lazy-parts";
import { Tiles } from "@/components/reports/parts/tiles";
import type { ReportProps } from "@/components/reports/sheet";
import { ViewChoices } from "@/components/reports/view-choices";
import { Badge, type Tone } from "@/components/ui/badge";
import { Boundary } from "@/components/ui/boundary";
import { formatDate, formatRange } from "@/components/ui/format";
import { CHANGED_LABELS } from "@/lib/analytics/reports/change-sentences";
import { ANNOTATION_KINDS, type AnnotationKind } from "@/lib/contract/vocabulary";
import { CAUSES, type Cause } from "@/lib/monitoring/causes";
import { t } from "@/lib/texts/translate";

interface Props extends ReportProps<ChangesAnswer> {
  filters: readonly Filter[];
  /** Whether another metric can be chosen here. */
  choosesMetric: boolean;
}

/** Report: which values explain the change of a metric. */
export function ChangesReport({ answer, sheets, filters, choosesMetric }: Props) {
  const { metric, total, currency, findings, dimensions, meta } = answer;
  const { before, after } = { before: cellOf(total.before, currency), after: cellOf(total.after, currency) };
  const plain = (cell: typeof before) => (typeof cell === "object" && cell !== null ? cell.amount : cell);
  return (
    <>
      {choosesMetric && <MetricChoice chosen={metric} />}
      <Tiles
        tiles={[
          {
            label: CHANGED_LABELS[metric],
            kind: kindOfChange(metric),
            currency: currency ?? undefined,
            value: plain(after),
            before: plain(before),
          },
        ]}
      />
      <section className="card px-4 pt-3.5 pb-3" aria-label={t("What stands out")}>
        <h2 className="text-[0.9375rem] font-semibold">{t("What stands out")}</h2>
        <p className="text-sm text-muted">
          {meta.compare && (
            <>{t("Compared with {range}.", { range: formatRange(meta.compare.from, meta.compare.to) })} </>
          )}
          {t("What changed more than the general trend, in its own direction, comes first.")}
        </p>
        {findings.length > 0 ? (
          <Boundary what={t("the changes")}>
            <ol className="mt-2 space-y-0.5">
              {findings.map((finding) => (
                <LazyFindingLine
                  key={`${finding.dimension} ${finding.value}`}
                  dimension={finding.dimension}
                  value={finding.value}
                  text={finding.sentence}
                  up={(finding.effect ?? 0) > 0}
                  isBetter={(finding.effect ?? 0) > 0 !== (metric === "bounce_rate")}
                  filters={filters}
                />
              ))}
            </ol>
          </Boundary>
        ) : (
          <p className="py-3 text-sm">{t("No single value stands out.")}</p>
        )}
      </section>
      <Beside {...answer} />
      {dimensions.map(({ dimension, additive }) => {
        const sheet = sheets.get(dimension);
        return (
          sheet && (
            <DataTable
              key={dimension}
              sheet={sheet}
              about={additive ? undefined : t("A visit can be in several rows, so they do not add up to the total.")}
            />
          )
        );
      })}
    </>
  );
}

const MetricChoice = ({ chosen }: { chosen: ChangesAnswer["metric"] }) => (
  <ViewChoices
    label={t("Metric")}
    choices={Object.entries(CHANGED_LABELS).map(([key, label]) => ({ key, label: t(label) }))}
    chosen={chosen}
    patchOf={(metric) => ({ metric })}
  />
);

const TONES: Record<AnnotationKind, Tone> = { deploy: "accent", campaign: "good", incident: "bad", note: "plain" };

function causeText(cause: Cause, isOpen: boolean): string {
  const label = t(CAUSES[cause].label);
  return isOpen ? t("{cause}, open", { cause: label }) : label;
}

/** Annotations, incidents and alerts of both ranges. */
function Beside({ annotations, incidents, alerts, meta }: ChangesAnswer) {
  const ranges = ["comparison", "range"] as const;
  const rows = ranges.flatMap((range) => [
    ...annotations[range].map(({ id, at, date, kind, text }) => ({
      key: `annotation ${id} ${range}`,
      at,
      date,
      badge: <Badge tone={TONES[kind]}>{t(ANNOTATION_KINDS[kind])}</Badge>,
      text,
      range,
    })),
    ...incidents[range].map(({ incident_id, cause, started_at, ended_at, seen }) => ({
      key: `incident ${incident_id} ${range}`,
      at: started_at,
      date: started_at.slice(0, 10),
      badge: <Badge tone="bad">{causeText(cause, ended_at === null)}</Badge>,
      text: seen,
      range,
    })),
    ...alerts[range].map(({ rule_id, name, start, seen }) => ({
      key: `alert ${rule_id} ${start} ${range}`,
      at: start,
      date: start.slice(0, 10),
      badge: <Badge tone="warn">{t("Alert")}</Badge>,
      text: `${name}: ${seen}`,
      range,
    })),
  ]);
  if (rows.length === 0) return null;
  return (
    <section className="card px-4 pt-3.5 pb-2 text-sm" aria-label={t("Annotations, incidents and alerts")}>
      <h2 className="text-[0.9375rem] font-semibold">{t("Annotations, incidents and alerts")}</h2>
      <ul className="mt-1 divide-y divide-line">
        {rows
          .sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
          .map(({ key, date, badge, text, range }) => (
            <li key={key} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-1.5">
              <span className="w-24 shrink-0 text-muted tabular-nums">{formatDate(date)}</span>
              {badge}
              <span className="min-w-0 flex-1 basis-40 break-words">{text}</span>
              {meta.compare && range === "comparison" && <span className="text-muted">{t("comparison")}</span>}
            </li>
          ))}
      </ul>
    </section>
  );
}
