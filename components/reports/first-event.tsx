"use client";

import { Check } from "lucide-react";
import { type ReactNode, Suspense, useEffect, useState } from "react";
import { useLastEvent } from "@/components/reports/use-last-event";
import { Boundary } from "@/components/ui/boundary";
import { ButtonLink } from "@/components/ui/button-link";
import { WaitingDot } from "@/components/ui/dots";
import { lazyPart } from "@/components/ui/lazy";
import { rich } from "@/components/ui/rich";
import type { Answer } from "@/lib/operations/index";
import { t } from "@/lib/texts/translate";

type Activity = Answer<"sites.activity">;

const LazyRefused = lazyPart(async () => (await import("@/components/reports/first-event-refused")).FirstRefused);
const LazyChecklist = lazyPart(async () => (await import("@/components/reports/first-event-checklist")).Checklist);

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
        <Boundary what={t("the refused events")}>
          <Suspense>
            <LazyRefused {...{ siteId, canChange, localPages }} refused={status.refused} />
          </Suspense>
        </Boundary>
      )}
      {late && (
        <Boundary what={t("the checklist")}>
          <Suspense>
            <LazyChecklist
              domain={domain}
              isLocal={isLocal}
              test={canChange && !isLocal ? `#${INSTALLATION_TEST}` : null}
            />
          </Suspense>
        </Boundary>
      )}
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
