"use client";

import { ExternalLink } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { buttonLook } from "@/components/ui/button";
import { evidenceInWords, fixInWords } from "@/lib/sites/check/finding-words";
import type { Finding } from "@/lib/sites/check/findings";
import type { InstallationTest } from "@/lib/sites/check/runs";
import { t } from "@/lib/texts/translate";
import { TestSteps } from "./test-steps";

/** What an installation test has done and found so far. */
export const TestProgress = ({ test }: { test: InstallationTest }) => (
  <div className="space-y-4">
    <TestSteps test={test} />
    {test.status === "waiting" && <OpenPage url={test.url} />}
    <Findings findings={test.findings} />
    {!test.running && <p className="text-sm text-muted">{t(test.next)}</p>}
  </div>
);

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
