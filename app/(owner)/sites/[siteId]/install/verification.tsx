"use client";

import { useState } from "react";
import { useAction } from "@/components/actions/actions";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { CopyLine } from "@/components/ui/copy-line";
import { Notice } from "@/components/ui/notice";
import { rich } from "@/components/ui/rich";
import { Section } from "@/components/ui/section";
import { Tabs } from "@/components/ui/tabs";
import { Moment } from "@/components/ui/when";
import type { Publication } from "@/lib/sites/verification";
import type { Verification as Answer } from "@/lib/sites/verify";
import { msg, t } from "@/lib/texts/translate";

interface Props {
  siteId: number;
  domain: string;
  verified: boolean;
  /** When another site can take the domain; null unless someone else has proven it and its proof is missing. */
  movesAt: Date | null;
  publish: Publication;
}

/** Verifies the site's domain: shows the three ways to prove it, and the result of the last check. */
export function Verification({ siteId, domain, verified, movesAt, publish }: Props) {
  const { perform, busy, problems } = useAction("sites.verify");
  const [answer, setAnswer] = useState<Answer>();
  const isContested = answer ? answer.domains.some((one) => one.primary && one.moves_at !== null) : movesAt !== null;
  const isVerified = (answer?.verified ?? verified) && !isContested;

  async function check() {
    const data = await perform({ site_id: siteId });
    if (data) setAnswer(data as unknown as Answer);
  }

  return (
    <Section
      title={t("Verify the domain")}
      about={
        isVerified
          ? t("{domain} is verified and stays with this site while its proof is published.", { domain })
          : movesAt && isContested
            ? rich(
                "Someone else has proven {domain}, and your proof is no longer published. Publish it again before {when}, or the domain can move to their site.",
                { domain, when: <Moment at={movesAt} /> },
              )
            : t(
                "Events are counted without verification, but another site can take over {domain} by verifying it first.",
                {
                  domain,
                },
              )
      }
      badge={
        <Badge tone={isVerified ? "good" : "plain"}>
          {t("{state, select, verified {Verified} contested {Contested} other {Not verified}}", {
            state: isVerified ? "verified" : isContested ? "contested" : "open",
          })}
        </Badge>
      }
    >
      {!isVerified && <Methods publish={publish} />}
      <div className="mt-4 space-y-3">
        {problems.message && <Notice>{problems.message}</Notice>}
        <Button look={isVerified ? "quiet" : "primary"} disabled={busy} onClick={check}>
          {busy ? t("Checking…") : isVerified ? t("Check the other domains") : t("Check now")}
        </Button>
        {answer?.domains.map((one) => (
          <CheckResult key={one.domain} domain={one} />
        ))}
      </div>
    </Section>
  );
}

const Methods = ({ publish: { value, dns_name, file_url, meta_tag } }: { publish: Publication }) => (
  <Tabs
    name={t("Methods")}
    tabs={[
      {
        key: "dns",
        label: t(METHODS.dns),
        content: (
          <RecordLines
            lines={[
              [t("Name of the TXT record"), dns_name],
              [t("Value"), value],
            ]}
          />
        ),
      },
      {
        key: "file",
        label: t(METHODS.file),
        content: (
          <RecordLines
            lines={[
              [t("URL of the file"), file_url],
              [t("Content"), value],
            ]}
          />
        ),
      },
      {
        key: "meta",
        label: t(METHODS.meta),
        content: <RecordLines lines={[[t("In the <head> of the home page"), meta_tag]]} />,
      },
    ]}
  />
);

const RecordLines = ({ lines }: { lines: [label: string, text: string][] }) => (
  <div className="mt-3 space-y-3">
    {lines.map(([label, text]) => (
      <CopyLine key={label} label={label} text={text} what={label.toLowerCase()} />
    ))}
  </div>
);

const METHODS = { dns: msg("DNS record"), file: msg("File"), meta: msg("Meta tag"), snippet: msg("Snippet") } as const;

/** Result of the check of one domain, by method. */
function CheckResult({ domain: { domain, about, tried } }: { domain: Answer["domains"][number] }) {
  return (
    <div role="status" className="rounded-lg border border-line p-3.5 text-sm">
      <p className="font-medium break-all">{domain}</p>
      <p className="text-muted">{about}</p>
      <ul className="mt-2 divide-y divide-line">
        {tried.map(({ method, outcome, seen, todo }) => (
          <li key={method} className="grid gap-x-4 py-2 sm:grid-cols-[6rem_minmax(0,1fr)]">
            <p className={outcome === "found" ? "font-medium text-good" : "font-medium"}>{t(METHODS[method])}</p>
            <p className="min-w-0 break-words">
              {seen} {todo && <span className="text-muted">{todo}</span>}
            </p>
          </li>
        ))}
      </ul>
    </div>
  );
}
