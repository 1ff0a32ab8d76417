import type { ReactNode } from "react";
import { Badge } from "@/components/ui/badge";
import { Fact, Facts } from "@/components/ui/facts";
import { Section } from "@/components/ui/section";
import { When } from "@/components/ui/when";
import { formatExactly } from "@/lib/contract/numbers";
import type { Answer } from "@/lib/operations/index";
import { zoned } from "@/lib/platform/time";

type Monitoring = Answer<"sites.monitoring.get">;
type Checked = NonNullable<Monitoring["checks"]>;

interface Props {
  /** Null while monitoring is off. */
  checks: Checked | null;
  /** Open incidents. */
  open: Monitoring["incidents"];
  timezone: string;
  now: Date;
}

/** The checks of monitoring with their latest results. */
export function Checks({ checks, open, timezone, now }: Props) {
  const alarm = (...causes: Monitoring["incidents"][number]["cause"][]) =>
    open.some(({ cause }) => causes.includes(cause));
  return (
    <Section title="Checks" about="Two failed checks in a row, or an unusual hour, open an incident.">
      <div className="-my-2.5">
        <Facts>
          <Line name="Page" bad={alarm("unreachable")} known={checks?.checked_at}>
            {checks ? <Page checks={checks} now={now} /> : "Responds without a server error."}
          </Line>
          <Line name="Certificate" bad={alarm("certificate")} known={checks?.certificate_until}>
            {checks?.certificate_until ? (
              <>
                Expires <When at={new Date(checks.certificate_until)} now={now} />
              </>
            ) : checks ? (
              "No certificate seen yet."
            ) : (
              "Is renewed at least two weeks before it expires."
            )}
          </Line>
          <Line
            name="Visits"
            bad={alarm("no_data", "spike", "drop")}
            known={checks?.hour && checks.hour.past.length > 1}
          >
            {checks ? <Visits checks={checks} timezone={timezone} /> : "As many as in the same hour of other weeks."}
          </Line>
          <Line name="Refused events" bad={alarm("refused_events")} known={checks?.hour?.arrivals}>
            {checks?.hour?.arrivals
              ? `${formatExactly(checks.hour.arrivals.refused)} of ${formatExactly(checks.hour.arrivals.all)} in the last hour.`
              : checks
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

function Page({ checks: { checked_at, problem, status, took_ms }, now }: { checks: Checked; now: Date }) {
  if (!checked_at) return "The first check is pending.";
  const when = <When at={new Date(checked_at)} now={now} />;
  if (problem) {
    return (
      <>
        It {problem}, {when}
      </>
    );
  }
  return (
    <>
      Status {status} in {formatExactly(took_ms ?? 0)} ms, {when}
    </>
  );
}

function Visits({ checks: { hour }, timezone }: { checks: Checked; timezone: string }) {
  if (!hour) return "Waiting for the first full hour with visits.";
  const clock = zoned(new Date(hour.start), timezone).toPlainTime().toString({ smallestUnit: "minute" });
  const seen = `${formatExactly(hour.visits)} in the hour from ${clock}`;
  if (hour.past.length < 2) return `${seen}. Comparison starts after two weeks.`;
  const [least, most] = [Math.min(...hour.past), Math.max(...hour.past)].map(formatExactly);
  return `${seen}; in the same hour of past weeks ${least === most ? least : `${least} to ${most}`}.`;
}
