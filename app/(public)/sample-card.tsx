import { Sparkline } from "@/components/charts/sparkline";
import { Change, isLessBetter } from "@/components/reports/change";
import type { Metric } from "@/lib/contract/vocabulary";

const NUMBERS: [Metric, string, string, number][] = [
  ["visitors", "Visitors", "12.4K", 0.18],
  ["pageviews", "Pageviews", "31.9K", 0.11],
  ["bounce_rate", "Bounce rate", "41%", -0.06],
];
const DAYS = [310, 342, 335, 401, 388, 260, 245, 372, 420, 437, 455, 430, 301, 288, 441, 478, 512, 498, 530, 352, 340];
const SOURCES: [string, number, string][] = [
  ["Direct", 100, "4.1K"],
  ["Google", 74, "3.0K"],
  ["Hacker News", 43, "1.8K"],
  ["newsletter.example", 22, "904"],
];

/** What a dashboard looks like, with made-up numbers, and it says so. */
export function SampleCard() {
  return (
    <figure className="min-w-0">
      <div className="card overflow-clip" aria-hidden="true">
        <div className="grid grid-cols-3 gap-px border-b border-line bg-line">
          {NUMBERS.map(([metric, label, value, change], index) => (
            <div key={metric} className={`bg-surface px-4 py-3 ${index === 0 ? "border-t-2 border-accent" : "pt-3.5"}`}>
              <p className={`text-sm ${index === 0 ? "font-semibold text-accent" : "text-muted"}`}>{label}</p>
              <p className="text-2xl font-semibold tracking-tight tabular-nums">{value}</p>
              <p className="text-[0.8125rem]">
                <Change change={change} lessIsBetter={isLessBetter(metric)} />
              </p>
            </div>
          ))}
        </div>
        <div className="px-4 pt-4">
          <Sparkline values={DAYS} growing className="h-36 w-full" />
        </div>
        <ul className="space-y-0.5 px-4 pt-3 pb-4 text-sm">
          {SOURCES.map(([name, share, visitors]) => (
            <li key={name} className="relative flex h-8 items-center justify-between rounded-md px-2">
              <span className="absolute inset-y-0.5 left-0 rounded-md bg-bar" style={{ width: `${share * 0.72}%` }} />
              <span className="relative">{name}</span>
              <span className="relative font-medium tabular-nums">{visitors}</span>
            </li>
          ))}
        </ul>
      </div>
      <figcaption className="mt-2 text-center text-sm text-muted">A dashboard, with sample data.</figcaption>
    </figure>
  );
}
