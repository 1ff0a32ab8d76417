import { Badge } from "@/components/ui/badge";
import { formatExactly } from "@/components/ui/format";
import { Section } from "@/components/ui/section";
import { When } from "@/components/ui/when";
import type { JobStatus } from "@/lib/admin/jobs";
import type { JobName } from "@/lib/jobs/jobs";

const WORDS: Record<JobName, string> = {
  "sweep-salts": "Destroy the salts of past days",
  "sweep-month-salts": "Destroy the salts of past months",
  "sweep-returners": "Forget who came back in past months",
  "add-months": "Make room for the next months",
  "sweep-expired": "Delete ended sign-ins, links and tokens",
  "sweep-page-keys": "Forget the keys of old pageviews",
  "sweep-changes": "Forget which facts have changed, once every copy of them knows",
  "sweep-tracking-tests": "Forget what ended tracking tests saw",
  "purge-sites": "Destroy the facts of deleted sites",
  "forget-old-facts": "Destroy what sites have counted longer ago than they keep it",
  "send-mail": "Send letters",
  "reclassify-sites": "Judge visits anew by newer lists of bots",
  "refresh-rates": "Fetch exchange rates",
  "keep-copies": "Bring the copies that reports read up to date",
  "send-reports": "Send reports by mail",
  "send-webhooks": "Send messages to webhooks",
  "check-pages": "Look at the pages of monitored sites",
  "watch-traffic": "Compare monitored sites with their past",
};

const isKnown = (name: string): name is JobName => name in WORDS;

/** A duration as people read it: 40 ms, 3.2 s, 2 min. */
function formatTook(ms: number): string {
  if (ms < 1000) return `${formatExactly(ms)} ms`;
  return ms < 120_000 ? `${(ms / 1000).toFixed(1)} s` : `${formatExactly(Math.round(ms / 60_000))} min`;
}

/** What the service does by itself, with how the last time went; what fails comes first. */
export function Jobs({ jobs, now }: { jobs: JobStatus[]; now: Date }) {
  const known = jobs.filter(({ name }) => isKnown(name));
  return (
    <Section
      title="Jobs"
      about="What the service does by itself. However many processes share the database, each job is one's at a time."
    >
      {known.length === 0 && <p className="text-sm text-muted">None has run yet.</p>}
      <ul className="divide-y divide-line not-empty:-my-2.5">
        {known.map((job) => (
          <li key={job.name} className="py-2.5 text-sm">
            <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
              {isKnown(job.name) && WORDS[job.name]}
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
      </ul>
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
      Ran <When at={lastRun} now={now} />, took {formatTook(tookMs)}, next {next}
    </>
  );
}
