"use client";

import type { ReactNode } from "react";
import { useAction } from "@/components/actions/actions";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { WaitingDot } from "@/components/ui/dots";
import { Notice } from "@/components/ui/notice";
import { rich } from "@/components/ui/rich";
import { Section } from "@/components/ui/section";
import { formatExactly } from "@/lib/contract/numbers";
import { isThisMachine } from "@/lib/platform/local-trial";
import type { TrackingTest } from "@/lib/sites/tracking-shape";
import { t } from "@/lib/texts/translate";
import { EventRow } from "./event-row";
import { CLASSES, OUTCOME_LABELS } from "./labels";
import { type Live, useTest } from "./use-test";

interface Props {
  siteId: number;
  domain: string;
  timezone: string;
  first: TrackingTest;
}

/** Live test of a site: shows each incoming event while it runs. */
export function LiveTest({ siteId, domain, timezone, first }: Props) {
  const live = useTest(siteId, first);
  const { test, connected } = live;
  return (
    <>
      <LiveTestControl siteId={siteId} live={live} />
      {test.status !== "none" && (
        <Section
          title={t("Events")}
          about={t("Newest first, times in {zone}. Select an event to see its fields.", {
            zone: timezone.replaceAll("_", " "),
          })}
        >
          {!connected && (
            <div className="mb-3">
              <Notice tone="warn">{t("The connection was lost. Reload the page to see new events.")}</Notice>
            </div>
          )}
          <OutcomeCounts counts={test.counts} />
          {test.hits.length === 0 ? (
            <NoEvents running={test.status === "running"} domain={domain} />
          ) : (
            <ul aria-label={t("Events")} className="-mb-2.5 divide-y divide-line">
              {test.hits.map((event) => (
                <EventRow key={event.id} event={event} timezone={timezone} />
              ))}
            </ul>
          )}
        </Section>
      )}
      <Section title={t("Stored data")}>
        <ul className="-my-1 list-disc space-y-1 pl-5 text-sm text-muted">
          <li>{t("What you see here of the newest 200 events, and the number of events.")}</li>
          <li>{t("No IP addresses, user agents or user ids. Personal data is replaced before it is shown.")}</li>
          <li>{t("Deleted an hour after the test has ended, or when the next test starts.")}</li>
        </ul>
      </Section>
    </>
  );
}

function LiveTestControl({ siteId, live: { test, left, put } }: { siteId: number; live: Live }) {
  const start = useAction("sites.tracking_test.start");
  const stop = useAction("sites.tracking_test.stop");
  const running = test.status === "running";
  const message = start.problems.message ?? stop.problems.message;

  async function act({ perform }: typeof start) {
    const data = await perform({ site_id: siteId });
    if (data) put(data as unknown as TrackingTest);
  }

  return (
    <Section
      title={t("Live test")}
      badge={badgeOf(test.status)}
      about={t(
        "Shows each incoming event of this site for ten minutes: its outcome, the reason, and how each field was interpreted.",
      )}
    >
      {message && (
        <div className="mb-3">
          <Notice>{message}</Notice>
        </div>
      )}
      <div className="flex flex-wrap items-center gap-3">
        {running ? (
          <>
            <Button look="danger" disabled={stop.busy} onClick={() => act(stop)}>
              {t("Stop")}
            </Button>
            <Button look="quiet" disabled={start.busy} onClick={() => act(start)}>
              {t("Extend to ten minutes")}
            </Button>
            <p className="text-sm text-muted">
              {rich("{time} left", {
                time: (
                  <span role="timer" className="font-medium text-ink tabular-nums">
                    {minutes(left)}
                  </span>
                ),
              })}
            </p>
          </>
        ) : (
          <Button disabled={start.busy} onClick={() => act(start)}>
            {test.status === "none" ? t("Start") : t("Start again")}
          </Button>
        )}
      </div>
    </Section>
  );
}

function badgeOf(status: TrackingTest["status"]): ReactNode {
  if (status === "none") return null;
  return status === "running" ? <Badge tone="good">{t("Running")}</Badge> : <Badge>{t("Ended")}</Badge>;
}

const minutes = (seconds: number): string => `${Math.floor(seconds / 60)}:${`${seconds % 60}`.padStart(2, "0")}`;

function OutcomeCounts({ counts }: Pick<TrackingTest, "counts">) {
  if (counts.length === 0) return null;
  return (
    <ul aria-label={t("Event counts")} className="mb-2 flex flex-wrap gap-x-4 gap-y-1 text-sm">
      {counts.map(({ outcome, traffic, events }) => (
        <li key={`${outcome} ${traffic}`} className="text-muted">
          <span className="font-medium text-ink tabular-nums">{formatExactly(events)}</span>{" "}
          {t(OUTCOME_LABELS[outcome].inCounts)}
          {traffic && ` · ${t(CLASSES[traffic])}`}
        </li>
      ))}
    </ul>
  );
}

function NoEvents({ running, domain }: { running: boolean; domain: string }) {
  if (!running) return <p className="text-sm text-muted">{t("No events during the test.")}</p>;
  return (
    <div role="status" className="flex items-center gap-3">
      <WaitingDot />
      <p className="text-sm text-muted">
        {rich("Waiting for the first event. Open {page} in another tab.", {
          page: isThisMachine(domain) ? (
            t("a page of {domain}", { domain })
          ) : (
            <a href={`https://${domain}`} target="_blank" rel="noreferrer" className="text-accent underline">
              {domain}
            </a>
          ),
        })}
      </p>
    </div>
  );
}
