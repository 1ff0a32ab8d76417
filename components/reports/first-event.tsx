"use client";

import { Check } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { refusalSentence } from "@/components/reports/refusal-reasons";
import { useLastEvent } from "@/components/reports/use-last-event";
import { ButtonLink } from "@/components/ui/button-link";
import { WaitingDot } from "@/components/ui/dots";
import { rich } from "@/components/ui/rich";
import { TextLink } from "@/components/ui/text-link";
import type { Answer } from "@/lib/operations/index";
import { msg, t } from "@/lib/texts/translate";

type Activity = Answer<"sites.activity">;

/** The id of the section that tests the installation, on the same page. */
export const INSTALLATION_TEST = "installation-test";

const PATIENCE_MS = 30_000;

interface Props {
  siteId: number;
  domain: string;
  /** Whether the site is a local trial, whose port is unknown. */
  isLocal: boolean;
  first: Activity;
  /** Whether the person can change the site's settings and test its installation. */
  canChange: boolean;
  /** The setting that counts pages on localhost, as the settings name it. */
  localPages: string;
}

/** Events of pages that are not on the site's domains. */
const ELSEWHERE: readonly string[] = ["invalid_input:Origin", "invalid_input:url"];

const ELSEWHERE_MANAGER = msg(
  "The snippet works, but its page is on another address. Is it another domain of this site? <domains>Add the domain</domains>. Is it your own machine? Turn on “{setting}” in <general>General settings</general>.",
);
const ELSEWHERE_VIEWER = msg(
  "The snippet works, but its page is on another address. Is it another domain of this site? Add the domain. Is it your own machine? Turn on “{setting}” in its settings.",
);

/** Waits for the first event of a site, confirms it when it arrives, and shows a checklist if it takes long. */
export function FirstEvent({ siteId, domain, isLocal, first, canChange, localPages }: Props) {
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
        <WaitingDot />
        <div>
          <h2 className="font-semibold">{t("Waiting for the first event")}</h2>
          <p className="text-sm text-muted">
            {isLocal
              ? t("Open a page of {domain} in another tab. This page updates automatically.", { domain })
              : rich("Open {site} in another tab. This page updates automatically.", {
                  site: <SiteLink domain={domain} />,
                })}
          </p>
        </div>
      </div>
      {status.refused.length > 0 && (
        <RefusedEvents siteId={siteId} refused={status.refused} canChange={canChange} localPages={localPages} />
      )}
      {late && <Advice domain={domain} isLocal={isLocal} canChange={canChange} />}
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
          <h2 className="font-semibold text-good">
            {fresh ? t("The first event has arrived") : t("Events are arriving")}
          </h2>
          <p className="text-sm">{t("Footfall is counting visits to {domain}.", { domain })}</p>
        </div>
        <ButtonLink href={`/sites/${siteId}`}>{t("Open the dashboard")}</ButtonLink>
      </div>
    </Box>
  );
}

function RefusedEvents({
  siteId,
  refused,
  canChange,
  localPages,
}: Pick<Activity, "refused"> & Pick<Props, "siteId" | "canChange" | "localPages">) {
  const isElsewhere = refused.some(({ reason }) => ELSEWHERE.includes(reason));
  return (
    <div className="mt-4 border-t border-line pt-4">
      <h3 className="text-sm font-semibold">{t("Events arrived but were not counted")}</h3>
      <ul className="mt-1.5 space-y-1 text-sm">
        {refused.map(({ reason, events }) => (
          <li key={reason} className="flex justify-between gap-4">
            <span>{refusalSentence(reason)}</span>
            <span className="text-muted tabular-nums">{events}×</span>
          </li>
        ))}
      </ul>
      {isElsewhere && (
        <p className="mt-2 text-sm text-muted">
          {rich(canChange ? ELSEWHERE_MANAGER : ELSEWHERE_VIEWER, {
            setting: localPages,
            domains: (text) => <TextLink href={`/sites/${siteId}/settings/domains`}>{text}</TextLink>,
            general: (text) => <TextLink href={`/sites/${siteId}/settings/general`}>{text}</TextLink>,
          })}
        </p>
      )}
    </div>
  );
}

function Advice({ domain, isLocal, canChange }: Pick<Props, "domain" | "isLocal" | "canChange">) {
  return (
    <div className="mt-4 border-t border-line pt-4">
      <h3 className="text-sm font-semibold">{t("No events yet?")}</h3>
      {canChange && !isLocal && (
        <p className="mt-1.5 text-sm">
          {rich(
            "<link>Test the installation</link> below: it opens your page and says what is wrong. Or check the following:",
            {
              link: (text) => (
                <a href={`#${INSTALLATION_TEST}`} className="text-accent underline underline-offset-2">
                  {text}
                </a>
              ),
            },
          )}
        </p>
      )}
      <ul className="mt-1.5 list-disc space-y-1 pl-5 text-sm text-muted">
        <li>{t("The delivered page contains the snippet: view the page source and search for “script.js”.")}</li>
        <li>
          {isLocal
            ? t("The page is on {domain} or a subdomain, in a browser on this machine.", { domain })
            : t(
                "The page is on {domain} or a subdomain, not on a preview URL; on localhost only if General settings count its pages.",
                { domain },
              )}
        </li>
        <li>{t("Caches and CDNs in front of the site serve the page with the snippet: purge them if they do not.")}</li>
        <li>{t("Your ad blocker is off, and your browser does not send “Global Privacy Control”.")}</li>
        <li>{t("The site’s Content-Security-Policy allows this server in script-src and connect-src.")}</li>
      </ul>
    </div>
  );
}
