import type { ReactNode } from "react";
import { Badge } from "@/components/ui/badge";
import { Fact, Facts } from "@/components/ui/facts";
import { rich } from "@/components/ui/rich";
import { Section } from "@/components/ui/section";
import { When } from "@/components/ui/when";
import { formatExactly, formatMs } from "@/lib/contract/numbers";
import { problemOfPage } from "@/lib/contract/seen-words";
import type { Answer } from "@/lib/operations/index";
import { zoned } from "@/lib/platform/time";
import { t } from "@/lib/texts/translate";

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
    <Section title={t("Checks")} about={t("Two failed checks in a row, or an unusual hour, open an incident.")}>
      <div className="-my-2.5">
        <Facts>
          <CheckLine name={t("Page")} bad={alarm("unreachable")} known={checks?.checked_at && !checks.problem}>
            {checks ? <SitePageLine checks={checks} now={now} /> : t("Responds without a server error.")}
          </CheckLine>
          <CheckLine name={t("Certificate")} bad={alarm("certificate")} known={checks?.certificate_until}>
            {checks?.certificate_until
              ? rich("Expires {when}", { when: <When at={new Date(checks.certificate_until)} now={now} /> })
              : checks
                ? t("No certificate seen yet.")
                : t("Is renewed at least two weeks before it expires.")}
          </CheckLine>
          <CheckLine
            name={t("Visits")}
            bad={alarm("no_data", "spike", "drop")}
            known={checks?.hour && checks.hour.past.length > 1}
          >
            {checks ? <Visits checks={checks} timezone={timezone} /> : t("As many as in the same hour of other weeks.")}
          </CheckLine>
          <CheckLine name={t("Refused events")} bad={alarm("refused_events")} known={checks?.hour?.arrivals}>
            {checks?.hour?.arrivals
              ? t("{refused} of {all} in the last hour.", {
                  refused: formatExactly(checks.hour.arrivals.refused),
                  all: formatExactly(checks.hour.arrivals.all),
                })
              : checks
                ? t("Waiting for the first full hour.")
                : t("Not far more than usual.")}
          </CheckLine>
        </Facts>
      </div>
    </Section>
  );
}

function CheckLine({
  name,
  bad,
  known,
  children,
}: {
  name: string;
  bad: boolean;
  known: unknown;
  children: ReactNode;
}) {
  return (
    <Fact name={name}>
      <span className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <span className="min-w-0 flex-1 basis-40">{children}</span>
        {bad ? <Badge tone="bad">{t("Incident")}</Badge> : known ? <Badge tone="good">{t("OK")}</Badge> : null}
      </span>
    </Fact>
  );
}

function SitePageLine({ checks: { checked_at, problem, status, took_ms }, now }: { checks: Checked; now: Date }) {
  if (!checked_at) return t("The first check is pending.");
  const when = <When at={new Date(checked_at)} now={now} />;
  if (problem) {
    return rich("It {problem}, {when}", { problem: problemOfPage(problem), when });
  }
  return rich("Status {status} in {took}, {when}", { status, took: formatMs(took_ms ?? 0), when });
}

function Visits({ checks: { hour }, timezone }: { checks: Checked; timezone: string }) {
  if (!hour) return t("Waiting for the first full hour with visits.");
  const clock = zoned(new Date(hour.start), timezone).toPlainTime().toString({ smallestUnit: "minute" });
  const seen = { visits: formatExactly(hour.visits), clock };
  if (hour.past.length < 2) return t("{visits} in the hour from {clock}. Comparison starts after two weeks.", seen);
  const least = formatExactly(Math.min(...hour.past));
  const most = formatExactly(Math.max(...hour.past));
  return least === most
    ? t("{visits} in the hour from {clock}; in the same hour of past weeks {least}.", { ...seen, least })
    : t("{visits} in the hour from {clock}; in the same hour of past weeks {least} to {most}.", {
        ...seen,
        least,
        most,
      });
}
