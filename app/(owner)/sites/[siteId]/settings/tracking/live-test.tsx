"use client";

import type { ReactNode } from "react";
import { useAction } from "@/components/actions/actions";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import type { TrackingTest } from "@/lib/sites/tracking-shape";
import { EventRow } from "./event-row";
import { type Live, useTest } from "./use-test";
import { CLASSES, OUTCOMES } from "./labels";

interface Props {
  siteId: number;
  domain: string;
  timezone: string;
  first: TrackingTest;
}

/** Starts and ends a window in which each hit of the site is shown as it comes. */
export function LiveTest({ siteId, domain, timezone, first }: Props) {
  const live = useTest(siteId, first);
  const { test, connected } = live;
  return (
    <>
      <Control siteId={siteId} live={live} />
      {test.status !== "none" && (
        <Section
          title="Hits"
          about={`The newest first, in the time of ${timezone.replaceAll("_", " ")}. Press one to see how it was read.`}
        >
          {!connected && (
            <div className="mb-3">
              <Notice tone="warn">This page has lost its connection. Load it again to see what comes.</Notice>
            </div>
          )}
          <Counts counts={test.counts} />
          {test.hits.length === 0 ? (
            <Nothing running={test.status === "running"} domain={domain} />
          ) : (
            <ul aria-label="Hits" className="-mb-2.5 divide-y divide-line">
              {test.hits.map((hit) => (
                <EventRow key={hit.id} hit={hit} timezone={timezone} />
              ))}
            </ul>
          )}
        </Section>
      )}
      <Section title="What is kept">
        <ul className="-my-1 list-disc space-y-1 pl-5 text-sm text-muted">
          <li>What you see here, of the newest 200 hits, and how many there were; nothing that would not be stored.</li>
          <li>No address, no user agent and no user id. Personal data is replaced before anything is shown.</li>
          <li>All of it is deleted an hour after the test has ended, or when the next one starts.</li>
        </ul>
      </Section>
    </>
  );
}

function Control({ siteId, live: { test, left, put } }: { siteId: number; live: Live }) {
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
      title="Live test"
      badge={BADGES[test.status]}
      about="For ten minutes, see each hit of this site as it comes: what became of it, why, and how each of its fields was read."
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
              Stop
            </Button>
            <Button look="quiet" disabled={start.busy} onClick={() => act(start)}>
              Ten minutes from now
            </Button>
            <p className="text-sm text-muted">
              <span role="timer" className="font-medium text-ink tabular-nums">
                {minutes(left)}
              </span>{" "}
              left
            </p>
          </>
        ) : (
          <Button disabled={start.busy} onClick={() => act(start)}>
            {test.status === "none" ? "Start" : "Start anew"}
          </Button>
        )}
      </div>
    </Section>
  );
}

const BADGES: Record<TrackingTest["status"], ReactNode> = {
  none: null,
  running: <Badge tone="good">Running</Badge>,
  ended: <Badge>Ended</Badge>,
};

const minutes = (seconds: number): string => `${Math.floor(seconds / 60)}:${`${seconds % 60}`.padStart(2, "0")}`;

function Counts({ counts }: Pick<TrackingTest, "counts">) {
  if (counts.length === 0) return null;
  return (
    <ul aria-label="How many" className="mb-2 flex flex-wrap gap-x-4 gap-y-1 text-sm">
      {counts.map(({ outcome, traffic, events }) => (
        <li key={`${outcome} ${traffic}`} className="text-muted">
          <span className="font-medium text-ink tabular-nums">{events.toLocaleString("en")}</span>{" "}
          {OUTCOMES[outcome].label.toLowerCase()}
          {traffic && ` · ${CLASSES[traffic]}`}
        </li>
      ))}
    </ul>
  );
}

function Nothing({ running, domain }: { running: boolean; domain: string }) {
  if (!running) return <p className="text-sm text-muted">Nothing came while the test ran.</p>;
  return (
    <div role="status" className="flex items-center gap-3">
      <span className="relative m-1.5 flex size-3 shrink-0" aria-hidden="true">
        <span className="absolute size-full animate-ping rounded-full bg-accent opacity-50" />
        <span className="size-3 rounded-full bg-accent" />
      </span>
      <p className="text-sm text-muted">
        Waiting for the first hit. Open{" "}
        <a href={`https://${domain}`} target="_blank" rel="noreferrer" className="text-accent underline">
          {domain}
        </a>{" "}
        in another tab.
      </p>
    </div>
  );
}
