import { Badge } from "@/components/ui/badge";
import { Rows } from "@/components/ui/rows";
import { Section } from "@/components/ui/section";
import { When } from "@/components/ui/when";
import type { JobStatus } from "@/lib/admin/jobs";
import { formatExactly } from "@/lib/contract/numbers";
import type { JobName } from "@/lib/jobs/jobs";

const JOB_LABELS: Record<JobName, string> = {
  "sweep-salts": "Delete the salts of past days",
  "sweep-month-salts": "Delete the salts of past months",
  "sweep-returning-visitors": "Delete returning-visitor data of past months",
  "add-months": "Create the partitions of the next months",
  "sweep-expired": "Delete expired sessions, links and tokens",
  "sweep-page-keys": "Delete the keys of old pageviews",
  "sweep-timed-visitors": "Delete what late events needed of past days",
  "sweep-changes": "Delete change records that every report copy has applied",
  "sweep-tracking-tests": "Delete the events of finished live tests",
  "purge-sites": "Delete the data of deleted sites",
  "delete-expired-events": "Delete events older than the retention limit",
  "send-mail": "Send emails",
  "reclassify-sites": "Reclassify visits with updated bot lists",
  "refresh-rates": "Fetch exchange rates",
  "read-signature-directories": "Read the keys of agents that sign their requests",
  "update-copies": "Refresh the report copies",
  "send-reports": "Send email reports",
  "send-webhooks": "Send webhook messages",
  "check-pages": "Check the pages of monitored sites",
  "fetch-search": "Fetch search data of connected sites, and delete that of disconnected ones",
  "look-again": "Look again for the proofs of contested domains",
  "watch-traffic": "Compare traffic of monitored sites with past weeks",
  "run-imports": "Check and import uploaded files, and delete uploads after a day",
  "watch-alerts": "Judge alert rules",
  "send-alerts": "Send alerts to chats",
};

const isKnown = (name: string): name is JobName => name in JOB_LABELS;

/** Formats a duration, such as "40 ms", "3.2 s" or "2 min". */
function formatDuration(ms: number): string {
  if (ms < 1000) return `${formatExactly(ms)} ms`;
  return ms < 120_000 ? `${(ms / 1000).toFixed(1)} s` : `${formatExactly(Math.round(ms / 60_000))} min`;
}

/** Background jobs with the result of the last run, failing ones first. */
export function Jobs({ jobs, now }: { jobs: JobStatus[]; now: Date }) {
  const known = jobs.filter(({ name }) => isKnown(name));
  return (
    <Section
      title="Jobs"
      about="Background work. If several processes share the database, each job runs in only one of them at a time."
    >
      <Rows empty="None has run yet.">
        {known.map((job) => (
          <li key={job.name} className="py-2.5 text-sm">
            <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
              {isKnown(job.name) && JOB_LABELS[job.name]}
              {job.failures > 0 && <Badge tone="bad">Failing</Badge>}
              {job.runningSince && <Badge tone="accent">Running</Badge>}
            </p>
            <p className="text-muted">
              <LastRun job={job} now={now} />
            </p>
            {job.failures > 0 && job.failedAt && (
              <p className="mt-1 text-bad [overflow-wrap:anywhere]">
                {job.failures === 1 ? "Failed" : `Failed ${formatExactly(job.failures)} times in a row, the last time`}{" "}
                <When at={job.failedAt} now={now} />: {job.failure}
              </p>
            )}
          </li>
        ))}
      </Rows>
    </Section>
  );
}

function LastRun({ job: { lastRun, tookMs, nextAt, runningSince, process }, now }: { job: JobStatus; now: Date }) {
  if (runningSince) {
    return (
      <>
        Since <When at={runningSince} now={now} /> by {process}
      </>
    );
  }
  const next = nextAt > now ? <When at={nextAt} now={now} /> : "now";
  if (!lastRun || tookMs === null) return <>Never ran, next {next}</>;
  return (
    <>
      Ran <When at={lastRun} now={now} />, took {formatDuration(tookMs)}, next {next}
    </>
  );
}
