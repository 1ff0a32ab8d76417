"use client";

import { type ReactNode, useEffect, useState } from "react";
import { refusalSentence } from "@/components/reports/refusal-reasons";
import { useLastEvent } from "@/components/reports/use-last-event";
import { ButtonLink } from "@/components/ui/button";
import { Check } from "@/components/ui/icons";
import type { LastEventIndicator } from "@/lib/sites/last-event";

const PATIENCE_MS = 30_000;

/** Waits for a site's first event, turns green by itself when it comes, and says what to check when it does not. */
export function FirstEvent({ siteId, domain, first }: { siteId: number; domain: string; first: LastEventIndicator }) {
  const pulse = useLastEvent(`/sites/${siteId}`, first, first.last_event_at === null);
  const [late, setLate] = useState(false);
  const arrived = pulse.last_event_at !== null;

  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);

  if (arrived) return <Arrived siteId={siteId} domain={domain} fresh={first.last_event_at === null} />;
  return (
    <Box tone="border-line bg-surface">
      <div role="status" className="flex items-center gap-3">
        <span className="relative m-1.5 flex size-3 shrink-0" aria-hidden="true">
          <span className="absolute size-full animate-ping rounded-full bg-accent opacity-50" />
          <span className="size-3 rounded-full bg-accent" />
        </span>
        <div>
          <h2 className="font-semibold">Waiting for the first event</h2>
          <p className="text-sm text-muted">
            Open{" "}
            <a href={`https://${domain}`} target="_blank" rel="noreferrer" className="text-accent underline">
              {domain}
            </a>{" "}
            in another tab. This page notices by itself.
          </p>
        </div>
      </div>
      {pulse.refused.length > 0 && <Refused refused={pulse.refused} />}
      {late && <Advice domain={domain} />}
    </Box>
  );
}

function Box({ tone, children }: { tone: string; children: ReactNode }) {
  return <section className={`rounded-xl border p-5 shadow-card ${tone}`}>{children}</section>;
}

function Arrived({ siteId, domain, fresh }: { siteId: number; domain: string; fresh: boolean }) {
  return (
    <Box tone="border-good/40 bg-good-soft">
      <div role="status" className="flex flex-wrap items-center gap-3">
        <span className="grid size-8 shrink-0 place-items-center rounded-full bg-good text-surface">
          <Check className="size-5" />
        </span>
        <div className="mr-auto">
          <h2 className="font-semibold text-good">{fresh ? "The first event has arrived" : "Events are arriving"}</h2>
          <p className="text-sm">{domain} is being counted.</p>
        </div>
        <ButtonLink href={`/sites/${siteId}`}>Open the dashboard</ButtonLink>
      </div>
    </Box>
  );
}

function Refused({ refused }: Pick<LastEventIndicator, "refused">) {
  return (
    <div className="mt-4 border-t border-line pt-4">
      <h3 className="text-sm font-semibold">Something did arrive, but was not counted</h3>
      <ul className="mt-1.5 space-y-1 text-sm">
        {refused.map(({ reason, hits }) => (
          <li key={reason} className="flex justify-between gap-4">
            <span>{refusalSentence(reason)}</span>
            <span className="text-muted tabular-nums">{hits}×</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Advice({ domain }: { domain: string }) {
  return (
    <div className="mt-4 border-t border-line pt-4">
      <h3 className="text-sm font-semibold">Nothing yet? Check this</h3>
      <ul className="mt-1.5 list-disc space-y-1 pl-5 text-sm text-muted">
        <li>The line is in the page that visitors get: view the page's source and search for “script.js”.</li>
        <li>The page is open on {domain} or below it, not on localhost or a preview address.</li>
        <li>A cache or CDN in front of the site still serves the page without the line: empty it.</li>
        <li>An ad blocker is off for your own visit, and your browser does not send “Global Privacy Control”.</li>
        <li>A Content-Security-Policy of the site allows this server in script-src and connect-src.</li>
      </ul>
    </div>
  );
}
