"use client";

import { Suspense, useEffect, useState } from "react";
import { useAction } from "@/components/actions/actions";
import { INSTALLATION_TEST } from "@/components/reports/first-event";
import { Badge } from "@/components/ui/badge";
import { Boundary } from "@/components/ui/boundary";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { pollJson } from "@/components/ui/polling";
import { Section } from "@/components/ui/section";
import type { InstallationTest as Test } from "@/lib/sites/check/runs";
import { msg, t } from "@/lib/texts/translate";
import { LazyTestProgress } from "./lazy-parts";

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
          <Boundary what={t("the test")}>
            <Suspense fallback={<p className="text-sm text-muted">{t("One moment…")}</p>}>
              <LazyTestProgress test={test} />
            </Suspense>
          </Boundary>
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
