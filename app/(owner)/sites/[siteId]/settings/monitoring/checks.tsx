import type { ReactNode } from "react";
import { Badge } from "@/components/ui/badge";
import { Fact, Facts } from "@/components/ui/facts";
import { Section } from "@/components/ui/section";
import { When } from "@/components/ui/when";
import { formatExactly } from "@/lib/contract/numbers";
import type { Cause } from "@/lib/monitoring/causes";
import type { Incident } from "@/lib/monitoring/incidents";
import type { MonitorStatus } from "@/lib/monitoring/monitor";
import { zoned } from "@/lib/platform/time";

interface Props {
  /** Null while monitoring is off. */
  watch: MonitorStatus | null;
  /** Open incidents. */
  open: Incident[];
  timezone: string;
  now: Date;
}

/** The checks of monitoring with their latest results. */
export function Checks({ watch, open, timezone, now }: Props) {
  const alarm = (...causes: Cause[]) => open.some(({ cause }) => causes.includes(cause));
  return (
    <Section title="Checks" about="Two failed checks in a row, or an unusual hour, open an incident.">
      <div className="-my-2.5">
        <Facts>
          <Line name="Page" bad={alarm("unreachable")} known={watch?.checkedAt}>
            {watch ? <Page watch={watch} now={now} /> : "Responds without a server error."}
          </Line>
          <Line name="Certificate" bad={alarm("certificate")} known={watch?.certificateUntil}>
            {watch?.certificateUntil ? (
              <>
                Expires <When at={watch.certificateUntil} now={now} />
              </>
            ) : watch ? (
              "No certificate seen yet."
            ) : (
              "Is renewed at least two weeks before it expires."
            )}
          </Line>
          <Line name="Visits" bad={alarm("no_data", "spike", "drop")} known={watch?.hour && watch.hour.past.length > 1}>
            {watch ? <Visits watch={watch} timezone={timezone} /> : "As many as in the same hour of other weeks."}
          </Line>
          <Line name="Refused events" bad={alarm("refused_events")} known={watch?.hour?.arrivals}>
            {watch?.hour?.arrivals
              ? `${formatExactly(watch.hour.arrivals.refused)} of ${formatExactly(watch.hour.arrivals.all)} in the last hour.`
              : watch
                ? "Waiting for the first full hour."
                : "Not far more than usual."}
          </Line>
        </Facts>
      </div>
    </Section>
  );
}

function Line({ name, bad, known, children }: { name: string; bad: boolean; known: unknown; children: ReactNode }) {
  return (
    <Fact name={name}>
      <span className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <span className="min-w-0 flex-1 basis-40">{children}</span>
        {bad ? <Badge tone="bad">Incident</Badge> : known ? <Badge tone="good">OK</Badge> : null}
      </span>
    </Fact>
  );
}

function Page({ watch: { checkedAt, problem, status, tookMs }, now }: { watch: MonitorStatus; now: Date }) {
  if (!checkedAt) return "The first check is pending.";
  const when = <When at={checkedAt} now={now} />;
  if (problem) {
    return (
      <>
        It {problem}, {when}
      </>
    );
  }
  return (
    <>
      Status {status} in {formatExactly(tookMs ?? 0)} ms, {when}
    </>
  );
}

function Visits({ watch: { hour }, timezone }: { watch: MonitorStatus; timezone: string }) {
  if (!hour) return "Waiting for the first full hour with visits.";
  const clock = zoned(new Date(hour.start), timezone).toPlainTime().toString({ smallestUnit: "minute" });
  const seen = `${formatExactly(hour.visits)} in the hour from ${clock}`;
  if (hour.past.length < 2) return `${seen}. Comparison starts after two weeks.`;
  const [least, most] = [Math.min(...hour.past), Math.max(...hour.past)].map(formatExactly);
  return `${seen}; in the same hour of past weeks ${least === most ? least : `${least} to ${most}`}.`;
}
