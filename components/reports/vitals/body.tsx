import { DataTable } from "@/components/reports/parts/data-table";
import { EmptyReport } from "@/components/reports/parts/empty-report";
import { TrendCard } from "@/components/reports/parts/trend-card";
import { formatCell, formatFraction, type ReportProps } from "@/components/reports/sheet";
import { ViewLink } from "@/components/reports/view-frame";
import { MEANINGS, RATINGS, ratingOf } from "@/components/reports/vitals/ratings";
import { kindOfVital, sheetsOfVital, type VitalsAnswer } from "@/components/reports/vitals/sheets";
import { Badge } from "@/components/ui/badge";
import { VITALS, type VitalKey, vitalKeys } from "@/lib/analytics/reports/vitals";
import { t } from "@/lib/texts/translate";

interface Props extends ReportProps<VitalsAnswer> {
  /** The vital that is shown. */
  shown: VitalKey;
  domain: string;
  baseUrl: string;
}

/** Report: Core Web Vitals of the site's pages. */
export function VitalsReport({ answer, sheets, shown, domain, baseUrl }: Props) {
  const { overall, comparison, floor, meta } = answer;
  if (overall.views === 0) {
    return (
      <EmptyReport
        title={t("No web vitals in this range")}
        code={`<script defer src="${baseUrl}/script.full.js" data-domain="${domain}"></script>`}
        docs={{ href: "/docs/tracker", label: t("What the full script measures") }}
      >
        {t("Replace script.js with script.full.js to measure the web vitals of each page view.")}
      </EmptyReport>
    );
  }
  const format = (value: number) => formatCell({ label: "", kind: kindOfVital(shown) }, value);
  const { label, good, poor } = VITALS[shown];
  const whole = sheets.get("overall");
  return (
    <>
      <nav aria-label={t("Vital")} className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-5">
        {vitalKeys.map((key) => (
          <Vital
            key={key}
            name={key}
            chosen={key === shown}
            now={overall[key]}
            before={comparison?.overall[key]}
            floor={floor}
          />
        ))}
      </nav>
      <TrendCard
        title={t("{label} over time", { label })}
        about={`${t(MEANINGS[shown])} ${t(
          "Up to {good} is good, above {poor} is poor. The line is p75: 75% of page views were at least this good.",
          { good: format(good), poor: format(poor) },
        )}`}
        kind="line"
        meta={meta}
        buckets={answer.series}
        series={[
          {
            key: shown,
            label: `${label} p75`,
            unit: shown === "cls" ? "ratio" : "milliseconds",
            read: (bucket: VitalsAnswer["series"][number]) => bucket[shown],
          },
        ]}
        bands={[
          { upTo: good, fill: RATINGS.good.fill },
          { upTo: poor, fill: RATINGS.needs.fill },
          { upTo: null, fill: RATINGS.poor.fill },
        ]}
      />
      {sheetsOfVital(answer, shown).map((sheet) => (
        <DataTable
          key={sheet.key}
          sheet={sheet}
          about={
            sheet.key === "pages"
              ? t("The worst first, of the {count} pages with the most page views.", { count: sheet.rows.length })
              : undefined
          }
        />
      ))}
      {whole && <DataTable sheet={whole} />}
    </>
  );
}

type Measured = VitalsAnswer["overall"]["lcp"];

interface VitalProps {
  name: VitalKey;
  /** Whether the report shows this one. */
  chosen: boolean;
  now: Measured;
  before: Measured | undefined;
  floor: number;
}

/** A vital with its rating and bands; a link that shows it alone. */
function Vital({ name, chosen, now, before, floor }: VitalProps) {
  const { label, about } = VITALS[name];
  const format = (value: number | null) => formatCell({ label, kind: kindOfVital(name) }, value);
  const rating = now.p75 === null ? null : ratingOf(name, now.p75);
  return (
    <ViewLink
      patch={{ vital: name }}
      aria-current={chosen ? "true" : undefined}
      title={t(MEANINGS[name])}
      className="card block min-w-0 border-t-2 px-4 pt-3 pb-3.5 hover:bg-sunken/60 aria-[current]:border-t-accent max-sm:last:odd:col-span-2"
    >
      <span className="flex items-center justify-between gap-2 text-sm font-semibold">
        <span className={chosen ? "text-accent" : ""}>{label}</span>
        {rating && <Badge tone={rating.tone}>{t(rating.label)}</Badge>}
      </span>
      <span className="block truncate text-xs text-muted">{about.split(",")[0]}</span>
      <span className="mt-2 block text-2xl font-semibold tracking-tight tabular-nums">
        {format(now.p75)} <span className="text-sm font-normal text-muted">p75</span>
      </span>
      {now.p75 === null ? (
        <span className="mt-2 block text-sm text-muted">
          {t("{count} of {floor} samples required for percentiles.", { count: now.samples, floor })}
        </span>
      ) : (
        <>
          <VitalBands now={now} />
          <span className="mt-2 block text-xs text-muted tabular-nums">
            {before?.p75 == null
              ? t("{count, plural, one {# sample} other {# samples}}", { count: now.samples })
              : t("was {before}, {count, plural, one {# sample} other {# samples}}", {
                  before: format(before.p75),
                  count: now.samples,
                })}
          </span>
        </>
      )}
    </ViewLink>
  );
}

function VitalBands({ now }: { now: Measured }) {
  const bands = [
    { ...RATINGS.good, share: now.good ?? 0 },
    { ...RATINGS.needs, share: now.needs_improvement ?? 0 },
    { ...RATINGS.poor, share: now.poor ?? 0 },
  ];
  const words = bands.map(({ label, share }) => `${formatFraction(share)} ${t(label)}`).join(", ");
  return (
    <span role="img" aria-label={words} title={words} className="mt-2.5 block">
      <span className="flex h-2 gap-0.5 overflow-clip rounded-full">
        {bands.map(
          ({ label, share, fill }) =>
            share > 0 && <span key={label} className={fill} style={{ width: `${share * 100}%` }} />,
        )}
      </span>
      <span className="mt-1 flex justify-between text-xs text-muted tabular-nums">
        {bands.map(({ label, share, fill }) => (
          <span key={label} className="flex items-center gap-1">
            <span className={`size-1.5 rounded-full ${fill}`} />
            {formatFraction(share)}
          </span>
        ))}
      </span>
    </span>
  );
}
