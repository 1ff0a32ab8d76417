import { Badge } from "@/components/ui/badge";
import { rich } from "@/components/ui/rich";
import { Rows } from "@/components/ui/rows";
import { Section } from "@/components/ui/section";
import { When } from "@/components/ui/when";
import type { JobStatus } from "@/lib/admin/jobs";
import { formatDuration } from "@/lib/contract/numbers";
import type { JobName } from "@/lib/jobs/jobs";
import { msg, t } from "@/lib/texts/translate";

const JOB_LABELS: Record<JobName, string> = {
  "sweep-salts": msg("Delete the salts of past days"),
  "sweep-month-salts": msg("Delete the salts of past months"),
  "sweep-returning-visitors": msg("Delete returning-visitor data of past months"),
  "add-months": msg("Create the partitions of the next months"),
  "sweep-expired": msg("Delete expired sessions, links and tokens"),
  "sweep-page-keys": msg("Delete the keys of old pageviews"),
  "sweep-timed-visitors": msg("Delete what late events needed of past days"),
  "sweep-changes": msg("Delete change records that every report copy has applied"),
  "sweep-tracking-tests": msg("Delete the events of finished live tests"),
  "purge-sites": msg("Delete the data of deleted sites"),
  "delete-expired-events": msg("Delete events older than the retention limit"),
  "send-mail": msg("Send emails"),
  "reclassify-sites": msg("Reclassify visits with updated bot lists"),
  "refresh-rates": msg("Fetch exchange rates"),
  "read-signature-directories": msg("Read the keys of agents that sign their requests"),
  "update-copies": msg("Refresh the report copies"),
  "send-reports": msg("Send email reports"),
  "send-webhooks": msg("Send webhook messages"),
  "check-pages": msg("Check the pages of monitored sites"),
  "fetch-search": msg("Fetch search data of connected sites, and delete that of disconnected ones"),
  "look-again": msg("Look again for the proofs of contested domains"),
  "watch-traffic": msg("Compare traffic of monitored sites with past weeks"),
  "run-imports": msg("Check and import uploaded files, and delete uploads after a day"),
  "watch-alerts": msg("Judge alert rules"),
  "send-alerts": msg("Send alerts to chats"),
};

const isKnown = (name: string): name is JobName => name in JOB_LABELS;

/** Background jobs with the result of the last run, failing ones first. */
export function Jobs({ jobs, now }: { jobs: JobStatus[]; now: Date }) {
  const known = jobs.filter(({ name }) => isKnown(name));
  return (
    <Section
      title={t("Jobs")}
      about={t(
        "Background work. If several processes share the database, each job runs in only one of them at a time.",
      )}
    >
      <Rows empty={t("None has run yet.")}>
        {known.map((job) => (
          <li key={job.name} className="py-2.5 text-sm">
            <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
              {isKnown(job.name) && t(JOB_LABELS[job.name])}
              {job.failures > 0 && <Badge tone="bad">{t("Failing")}</Badge>}
              {job.runningSince && <Badge tone="accent">{t("Running")}</Badge>}
            </p>
            <p className="text-muted">
              <LastRun job={job} now={now} />
            </p>
            {job.failures > 0 && job.failedAt && (
              <p className="mt-1 text-bad [overflow-wrap:anywhere]">
                {rich(
                  "{count, plural, one {Failed {when}: {reason}} other {Failed # times in a row, the last time {when}: {reason}}}",
                  { count: job.failures, when: <When at={job.failedAt} now={now} />, reason: job.failure },
                )}
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
    return rich("Since {start} by {process}", { start: <When at={runningSince} now={now} />, process });
  }
  const next = nextAt > now ? <When at={nextAt} now={now} /> : t("now");
  if (!lastRun || tookMs === null) return rich("Never ran, next {next}", { next });
  return rich("Ran {when}, took {duration}, next {next}", {
    when: <When at={lastRun} now={now} />,
    duration: formatDuration(tookMs),
    next,
  });
}
