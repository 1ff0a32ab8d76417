import type { ActionData } from "@/components/actions/typed";
import { Button } from "@/components/ui/button";
import { Fact, Facts } from "@/components/ui/facts";
import { formatPlural, formatRange } from "@/components/ui/format";
import { DIMENSIONS, isDimension } from "@/lib/analytics/query/dimensions";
import { formatExactly } from "@/lib/contract/numbers";
import { serviceTitle } from "./source-names";

interface Props {
  run: ActionData<"sites.imports.list">["runs"][number];
  busy: boolean;
  onStart(): void;
  onOthers(): void;
}

const titleOf = (key: string): string => (isDimension(key) ? DIMENSIONS[key].label : key);
const orUnknown = (value: number | null) => (value === null ? "Unknown: the files do not tell" : formatExactly(value));

/** What an import would store, before it is started. */
export function Preview({ run, busy, onStart, onOthers }: Props) {
  const { sums } = run;
  if (!sums) return null;
  const { days, own_days, replaced_days, notes, dimensions } = sums;
  return (
    <div className="space-y-4">
      <Facts>
        <Fact name="Service">{serviceTitle(run.source)}</Fact>
        <Fact name="Files">{run.files.join(", ")}</Fact>
        <Fact name="Days">
          {formatPlural(days, "day")}, {formatRange(sums.from, sums.to)}
          {own_days > 0 && (
            <span className="block text-muted">
              {formatPlural(own_days, "more day")} skipped, because the site has its own data for them
            </span>
          )}
          {replaced_days > 0 && (
            <span className="block text-muted">{formatPlural(replaced_days, "day")} of an earlier import replaced</span>
          )}
        </Fact>
        <Fact name="Visitors">{orUnknown(sums.visitors)}</Fact>
        <Fact name="Visits">{orUnknown(sums.visits)}</Fact>
        <Fact name="Pageviews">{orUnknown(sums.pageviews)}</Fact>
        <Fact name="Events">{orUnknown(sums.events)}</Fact>
        <Fact name="Broken down by">
          {dimensions.length === 0 ? "Nothing: totals only" : dimensions.map(titleOf).join(", ")}
        </Fact>
        {notes.length > 0 && (
          <Fact name="Skipped">
            <ul className="space-y-1 text-muted">
              {notes.map((note) => (
                <li key={note} className="[overflow-wrap:anywhere]">
                  {note}
                </li>
              ))}
            </ul>
          </Fact>
        )}
      </Facts>
      <div className="flex flex-wrap gap-2">
        <Button onClick={onStart} disabled={busy}>
          {busy ? "Starting…" : `Import ${formatPlural(days, "day")}`}
        </Button>
        <Button look="quiet" onClick={onOthers}>
          Choose other files
        </Button>
      </div>
    </div>
  );
}
