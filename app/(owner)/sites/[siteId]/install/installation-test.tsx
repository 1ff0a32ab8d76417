"use client";

import { ExternalLink } from "lucide-react";
import { useEffect, useState } from "react";
import { useAction } from "@/components/actions/actions";
import { INSTALLATION_TEST } from "@/components/reports/first-event";
import { Badge } from "@/components/ui/badge";
import { Button, buttonLook } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { pollJson } from "@/components/ui/polling";
import { Section } from "@/components/ui/section";
import { evidenceInWords, fixInWords } from "@/lib/sites/check/finding-words";
import type { Finding } from "@/lib/sites/check/findings";
import type { InstallationTest as Test } from "@/lib/sites/check/runs";
import { msg, t } from "@/lib/texts/translate";
import { TestSteps } from "./test-steps";

const POLL_MS = 1_000;
const BADGES = {
  queued: ["accent", msg("Running")],
  fetching: ["accent", msg("Running")],
  waiting: ["accent", msg("Waiting")],
  passed: ["good", msg("Passed")],
  failed: ["bad", msg("Failed")],
  stopped: ["plain", msg("Stopped")],
  expired: ["warn", msg("No event received")],
} as const;

/** Starts an installation test of the site, follows its progress and shows the findings. */
export function InstallationTest({ siteId, first }: { siteId: number; first: Test | null }) {
  const start = useAction("sites.installation.tests.start");
  const stop = useAction("sites.installation.tests.stop");
  const [test, setTest] = useTest(siteId, first);
  const running = test?.running ?? false;
  const problem = start.problems.message ?? stop.problems.message;

  const show = (answer: Test | null) => answer && setTest(answer);

  const [tone, label] = test ? BADGES[test.status] : (["plain", ""] as const);
  return (
    <div id={INSTALLATION_TEST} className="scroll-mt-20">
      <Section
        title={t("Test the installation")}
        about={t("Loads your page like a browser, checks for problems with the snippet, and waits for its event.")}
        badge={label && <Badge tone={tone}>{t(label)}</Badge>}
        aside={
          running && test ? (
            <Button
              look="quiet"
              size="small"
              disabled={stop.busy}
              onClick={async () => show(await stop.perform({ site_id: siteId, id: test.id }))}
            >
              {t("Stop")}
            </Button>
          ) : (
            <Button
              size="small"
              disabled={start.busy}
              onClick={async () => show(await start.perform({ site_id: siteId }))}
            >
              {test ? t("Test again") : t("Start the test")}
            </Button>
          )
        }
      >
        {problem && <Notice>{problem}</Notice>}
        {!test && <p className="text-sm text-muted">{t("Takes a few seconds and is not counted as a visit.")}</p>}
        {test && (
          <div className="space-y-4">
            <TestSteps test={test} />
            {test.status === "waiting" && <OpenPage url={test.url} />}
            <Findings findings={test.findings} />
            {!running && <p className="text-sm text-muted">{t(test.next)}</p>}
          </div>
        )}
      </Section>
    </div>
  );
}

/** The state of the test, polled while it runs. */
function useTest(siteId: number, first: Test | null) {
  const [test, setTest] = useState(first);
  const running = test?.running ?? false;

  useEffect(() => {
    if (!running) return;
    const address = () => `/sites/${siteId}/install/test`;
    return pollJson<{ test: Test | null }>({ everyMs: POLL_MS }, address, ({ test: next }) => {
      setTest(next);
      return undefined;
    });
  }, [siteId, running]);

  return [test, setTest] as const;
}

const OpenPage = ({ url }: { url: string }) => (
  <div className="flex flex-wrap items-center justify-between gap-3 rounded-lg border border-line bg-sunken px-3.5 py-3">
    <p className="min-w-0 flex-1 basis-56 text-sm">
      {t("Open your page with this link, in a browser without a content blocker. The test continues by itself.")}
    </p>
    <a href={url} target="_blank" rel="noreferrer" className={buttonLook({ size: "small" })}>
      {t("Open the page")} <ExternalLink />
    </a>
  </div>
);

const TONES = {
  error: "bad",
  warning: "warn",
  note: "plain",
  good: "good",
} as const;

/** Findings of an installation test with evidence and fix, most severe first. */
function Findings({ findings }: { findings: Finding[] }) {
  if (findings.length === 0) return null;
  const order = Object.keys(TONES);
  const sorted = [...findings].sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
  return (
    <ul className="divide-y divide-line border-y border-line" aria-label={t("Findings")}>
      {sorted.map(({ code, severity, message, evidence, fix }) => (
        <li key={code} className="grid gap-x-4 gap-y-1 py-3 text-sm sm:grid-cols-[5rem_minmax(0,1fr)]">
          <p>
            <Badge tone={TONES[severity]}>
              {t("{severity, select, error {Error} warning {Warning} note {Note} other {Good}}", { severity })}
            </Badge>
          </p>
          <div className="min-w-0">
            <p className="font-medium">{t(message)}</p>
            {evidence && (
              <p className="mt-1.5 rounded-md bg-sunken px-2.5 py-1.5 font-mono text-[0.8125rem] break-words whitespace-pre-wrap">
                {evidenceInWords(evidence)}
              </p>
            )}
            {fix && <p className="mt-1.5 break-words text-muted">{fixInWords(fix)}</p>}
          </div>
        </li>
      ))}
    </ul>
  );
}
