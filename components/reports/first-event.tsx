"use client";

import { Check } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { refusalSentence } from "@/components/reports/refusal-reasons";
import { useLastEvent } from "@/components/reports/use-last-event";
import { ButtonLink } from "@/components/ui/button";
import type { Answer } from "@/lib/operations/index";

type Activity = Answer<"sites.activity">;

const PATIENCE_MS = 30_000;

interface Props {
  siteId: number;
  domain: string;
  /** Whether the site is a local trial, whose port is unknown. */
  isLocal: boolean;
  first: Activity;
}

/** Waits for the first event of a site, confirms it when it arrives, and shows a checklist if it takes long. */
export function FirstEvent({ siteId, domain, isLocal, first }: Props) {
  const status = useLastEvent(`/sites/${siteId}`, first, first.last_event_at === null);
  const [late, setLate] = useState(false);
  const arrived = status.last_event_at !== null;

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
            Open {isLocal ? `a page of ${domain}` : <SiteLink domain={domain} />} in another tab. This page updates
            automatically.
          </p>
        </div>
      </div>
      {status.refused.length > 0 && <Refused refused={status.refused} />}
      {late && <Advice domain={domain} isLocal={isLocal} />}
    </Box>
  );
}

const SiteLink = ({ domain }: Pick<Props, "domain">) => (
  <a href={`https://${domain}`} target="_blank" rel="noreferrer" className="text-accent underline">
    {domain}
  </a>
);

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
          <p className="text-sm">Footfall is counting visits to {domain}.</p>
        </div>
        <ButtonLink href={`/sites/${siteId}`}>Open the dashboard</ButtonLink>
      </div>
    </Box>
  );
}

function Refused({ refused }: Pick<Activity, "refused">) {
  return (
    <div className="mt-4 border-t border-line pt-4">
      <h3 className="text-sm font-semibold">Events arrived but were not counted</h3>
      <ul className="mt-1.5 space-y-1 text-sm">
        {refused.map(({ reason, events }) => (
          <li key={reason} className="flex justify-between gap-4">
            <span>{refusalSentence(reason)}</span>
            <span className="text-muted tabular-nums">{events}×</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Advice({ domain, isLocal }: Pick<Props, "domain" | "isLocal">) {
  return (
    <div className="mt-4 border-t border-line pt-4">
      <h3 className="text-sm font-semibold">No events yet? Check the following</h3>
      <ul className="mt-1.5 list-disc space-y-1 pl-5 text-sm text-muted">
        <li>The delivered page contains the snippet: view the page source and search for “script.js”.</li>
        <li>
          The page is on {domain} or a subdomain
          {isLocal ? ", in a browser on this machine" : ", not on localhost or a preview URL"}.
        </li>
        <li>Caches and CDNs in front of the site serve the page with the snippet: purge them if they do not.</li>
        <li>Your ad blocker is off, and your browser does not send “Global Privacy Control”.</li>
        <li>The site’s Content-Security-Policy allows this server in script-src and connect-src.</li>
      </ul>
    </div>
  );
}
