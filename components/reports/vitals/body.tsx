import { DataTable } from "@/components/reports/parts/data-table";
import { EmptyReport } from "@/components/reports/parts/empty-report";
import { TrendCard } from "@/components/reports/parts/trend-card";
import { formatCell, formatFraction, type ReportProps } from "@/components/reports/sheet";
import { kindOf, type VitalsAnswer } from "@/components/reports/vitals/sheets";
import { Badge, type Tone } from "@/components/ui/badge";
import { formatPlural } from "@/components/ui/format";
import { VITALS, type VitalKey, vitalKeys } from "@/lib/analytics/reports/vitals";

interface Props extends ReportProps<VitalsAnswer> {
  domain: string;
  baseUrl: string;
}

/** Report: Core Web Vitals of the site's pages. */
export function VitalsReport({ answer, sheets, domain, baseUrl }: Props) {
  const { overall, comparison, floor, meta } = answer;
  if (overall.views === 0) {
    return (
      <EmptyReport
        title="No web vitals in this range"
        code={`<script defer src="${baseUrl}/script.full.js" data-domain="${domain}"></script>`}
        docs={{ href: "/docs/tracker", label: "What the full script measures" }}
      >
        Replace script.js with script.full.js to measure the web vitals of each page view.
      </EmptyReport>
    );
  }
  const tables = [...sheets.values()];
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-5">
        {vitalKeys.map((key) => (
          <Vital key={key} name={key} now={overall[key]} before={comparison?.overall[key]} floor={floor} />
        ))}
      </div>
      <TrendCard
        title="75th percentiles"
        kind="line"
        meta={meta}
        buckets={answer.series}
        series={vitalKeys.map((key) => ({
          key,
          label: VITALS[key].label,
          // CLS has no unit and uses the right axis.
          unit: key === "cls" ? "ratio" : "milliseconds",
          axis: key === "cls" ? "right" : "left",
          read: (bucket: VitalsAnswer["series"][number]) => bucket[key],
        }))}
      />
      <p className="px-1 text-sm text-muted">
        p75: 75% of page views were at least this good. The rating of a vital is that of its p75.
      </p>
      {tables.map((sheet) => (
        <DataTable
          key={sheet.key}
          sheet={sheet}
          truncated={sheet.key !== "overall" && meta.truncated && sheet.rows.length === meta.row_limit}
        />
      ))}
    </>
  );
}

type Measured = VitalsAnswer["overall"]["lcp"];

const RATINGS = {
  good: { label: "good", tone: "good", fill: "bg-good" },
  needs: { label: "needs improvement", tone: "warn", fill: "bg-warn" },
  poor: { label: "poor", tone: "bad", fill: "bg-bad" },
} as const satisfies Record<string, { label: string; tone: Tone; fill: string }>;

const ratingOf = (key: VitalKey, p75: number) =>
  RATINGS[p75 <= VITALS[key].good ? "good" : p75 <= VITALS[key].poor ? "needs" : "poor"];

interface VitalProps {
  name: VitalKey;
  now: Measured;
  before: Measured | undefined;
  floor: number;
}

function Vital({ name, now, before, floor }: VitalProps) {
  const { label, about } = VITALS[name];
  const format = (value: number | null) => formatCell({ label, kind: kindOf(name) }, value);
  const rating = now.p75 === null ? null : ratingOf(name, now.p75);
  return (
    <section aria-label={label} className="card min-w-0 px-4 pt-3 pb-3.5">
      <h2 className="flex items-center justify-between gap-2 text-sm font-semibold" title={about}>
        {label}
        {rating && <Badge tone={rating.tone}>{rating.label}</Badge>}
      </h2>
      <p className="truncate text-xs text-muted">{about.split(",")[0]}</p>
      <p className="mt-2 text-2xl font-semibold tracking-tight tabular-nums">
        {format(now.p75)} <span className="text-sm font-normal text-muted">p75</span>
      </p>
      {now.p75 === null ? (
        <p className="mt-2 text-sm text-muted">
          {now.samples} of {floor} samples required for percentiles.
        </p>
      ) : (
        <>
          <Bands now={now} />
          <p className="mt-2 text-xs text-muted tabular-nums">
            {before?.p75 != null && <>was {format(before.p75)}, </>}
            {formatPlural(now.samples, "sample")}
          </p>
        </>
      )}
    </section>
  );
}

function Bands({ now }: { now: Measured }) {
  const bands = [
    { ...RATINGS.good, share: now.good ?? 0 },
    { ...RATINGS.needs, share: now.needs_improvement ?? 0 },
    { ...RATINGS.poor, share: now.poor ?? 0 },
  ];
  const words = bands.map(({ label, share }) => `${formatFraction(share)} ${label}`).join(", ");
  return (
    <div role="img" aria-label={words} title={words} className="mt-2.5">
      <div className="flex h-2 gap-0.5 overflow-clip rounded-full">
        {bands.map(
          ({ label, share, fill }) =>
            share > 0 && <div key={label} className={fill} style={{ width: `${share * 100}%` }} />,
        )}
      </div>
      <p className="mt-1 flex justify-between text-xs text-muted tabular-nums">
        {bands.map(({ label, share, fill }) => (
          <span key={label} className="flex items-center gap-1">
            <span className={`size-1.5 rounded-full ${fill}`} />
            {formatFraction(share)}
          </span>
        ))}
      </p>
    </div>
  );
}
