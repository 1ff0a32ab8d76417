"use client";

import { useState } from "react";
import { useAction } from "@/components/actions/actions";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { CopyLine } from "@/components/ui/copy-line";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import { Tabs } from "@/components/ui/tabs";
import { Moment } from "@/components/ui/when";
import type { Publication } from "@/lib/sites/verification";
import type { Verification as Answer } from "@/lib/sites/verify";

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
      title="Verify the domain"
      about={
        isVerified ? (
          `${domain} is verified and stays with this site while its proof is published.`
        ) : movesAt && isContested ? (
          <>
            Someone else has proven {domain}, and your proof is no longer published. Publish it again before{" "}
            <Moment at={movesAt} />, or the domain can move to their site.
          </>
        ) : (
          `Events are counted without verification, but another site can take over ${domain} by verifying it first.`
        )
      }
      badge={
        <Badge tone={isVerified ? "good" : "plain"}>
          {isVerified ? "Verified" : isContested ? "Contested" : "Not verified"}
        </Badge>
      }
    >
      {!isVerified && <Methods publish={publish} />}
      <div className="mt-4 space-y-3">
        {problems.message && <Notice>{problems.message}</Notice>}
        <Button look={isVerified ? "quiet" : "primary"} disabled={busy} onClick={check}>
          {busy ? "Checking…" : isVerified ? "Check the other domains" : "Check now"}
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
    name="Methods"
    tabs={[
      {
        key: "dns",
        label: "DNS record",
        content: (
          <Lines
            lines={[
              ["Name of the TXT record", dns_name],
              ["Value", value],
            ]}
          />
        ),
      },
      {
        key: "file",
        label: "File",
        content: (
          <Lines
            lines={[
              ["URL of the file", file_url],
              ["Content", value],
            ]}
          />
        ),
      },
      { key: "meta", label: "Meta tag", content: <Lines lines={[["In the <head> of the home page", meta_tag]]} /> },
    ]}
  />
);

const Lines = ({ lines }: { lines: [label: string, text: string][] }) => (
  <div className="mt-3 space-y-3">
    {lines.map(([label, text]) => (
      <CopyLine key={label} label={label} text={text} what={label.toLowerCase()} />
    ))}
  </div>
);

const METHODS = { dns: "DNS record", file: "File", meta: "Meta tag", snippet: "Snippet" } as const;

/** Result of the check of one domain, by method. */
function CheckResult({ domain: { domain, about, tried } }: { domain: Answer["domains"][number] }) {
  return (
    <div role="status" className="rounded-lg border border-line p-3.5 text-sm">
      <p className="font-medium break-all">{domain}</p>
      <p className="text-muted">{about}</p>
      <ul className="mt-2 divide-y divide-line">
        {tried.map(({ method, outcome, seen, todo }) => (
          <li key={method} className="grid gap-x-4 py-2 sm:grid-cols-[6rem_minmax(0,1fr)]">
            <p className={outcome === "found" ? "font-medium text-good" : "font-medium"}>{METHODS[method]}</p>
            <p className="min-w-0 break-words">
              {seen} {todo && <span className="text-muted">{todo}</span>}
            </p>
          </li>
        ))}
      </ul>
    </div>
  );
}
