"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAction } from "@/components/actions/actions";
import { Button } from "@/components/ui/button";
import { CopyLine } from "@/components/ui/copy-line";
import { Field } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { rich } from "@/components/ui/rich";
import { Select } from "@/components/ui/select";
import { Tabs } from "@/components/ui/tabs";
import { Moment } from "@/components/ui/when";
import type { ClaimCheck, ClaimRecord } from "@/lib/identity/claims";
import { msg, t } from "@/lib/texts/translate";

interface Props {
  clientId: string;
  /** The domains that hand over sites, each with its name for people. */
  domains: { value: string; label: string }[];
  /** Whether the recovery key hands over more than a proof. */
  takesKey: boolean;
  /** Records that were already issued to this person. */
  records: ClaimRecord[];
}

const METHODS = { dns: msg("DNS record"), https: msg("File on the website") } as const;
type Method = keyof typeof METHODS;

/** Issues a record to publish, and checks for it on request. */
export function Proof({ clientId, domains, takesKey, records }: Props) {
  const hosts = domains.map(({ value }) => value);
  const [chosen, setChosen] = useState(hosts[0] ?? "");
  const domain = hosts.includes(chosen) ? chosen : (hosts[0] ?? "");
  const [recoveryKey, setRecoveryKey] = useState("");
  const start = useAction("claims.start");
  const check = useAction("claims.check", {
    fields: ["recovery_key"],
    fieldOfCode: { recovery_key_wrong: "recovery_key" },
  });
  const [issued, setIssued] = useState(records);
  const known = issued.filter((one) => hosts.includes(one.domain));
  const [missing, setMissing] = useState<ClaimCheck["missing"]>([]);
  const router = useRouter();

  async function begin(method: Method) {
    const data = await start.perform({ client_id: clientId, domain, method });
    const isOther = (one: ClaimRecord) => one.method !== method || one.domain !== domain;
    if (data) setIssued([...issued.filter(isOther), data.record as ClaimRecord]);
  }

  async function look() {
    setMissing([]);
    const input = { client_id: clientId, recovery_key: recoveryKey.trim() || null };
    const found = (await check.perform(input)) as ClaimCheck | null;
    if (!found) return;
    if (found.standing === "open") setMissing(found.missing);
    if (found.standing !== "open" || found.taken.length > 0) router.refresh();
  }

  const problem = check.problems.message ?? start.problems.message;
  const content = (method: Method) => {
    const record = known.find((one) => one.method === method && one.domain === domain);
    return record ? (
      <Publish record={record} />
    ) : (
      <Begin method={method} domain={domain} busy={start.busy} onBegin={() => begin(method)} />
    );
  };

  return (
    <section className="card p-5" aria-label={t("Domain proof")}>
      <h2 className="text-[0.9375rem] font-semibold">{t("Domain proof")}</h2>
      {domains.length > 1 && (
        <div className="mt-3 mb-4">
          <Select
            label={t("Domain")}
            value={domain}
            onChange={(event) => setChosen(event.target.value)}
            choices={domains}
          />
        </div>
      )}
      <Tabs
        key={domain}
        name={t("Methods")}
        tabs={(["dns", "https"] as const).map((key) => ({ key, label: t(METHODS[key]), content: content(key) }))}
      />
      {known.length > 0 && (
        <div className="mt-5 space-y-3 border-t border-line pt-4">
          {takesKey && (
            <Field
              label={t("Recovery key of the agent")}
              optional
              hint={t("Whoever runs the agent has it. With it, one proven domain hands over all of its sites.")}
              problem={check.problems.fields.recovery_key}
              autoComplete="off"
              value={recoveryKey}
              onChange={(event) => setRecoveryKey(event.target.value)}
            />
          )}
          <Button onClick={look} disabled={check.busy} className="w-full sm:w-auto">
            {check.busy ? t("Checking…") : t("Check")}
          </Button>
          {problem && <Notice>{problem}</Notice>}
          {missing.map((one) => (
            <Notice key={`${one.method} ${one.domain}`} tone="warn">
              {missing.length > 1 && (
                <strong className="block font-semibold break-words">
                  {domains.length > 1 && `${one.domain}: `}
                  {t(METHODS[one.method])}
                </strong>
              )}
              {whatIsMissing(one)}
            </Notice>
          ))}
        </div>
      )}
      {known.length === 0 && problem && (
        <div className="mt-4">
          <Notice>{problem}</Notice>
        </div>
      )}
    </section>
  );
}

const HOW = {
  dns: (domain: string) => t("Add one TXT record where the DNS of {domain} is managed.", { domain }),
  https: (domain: string) => t("Put one small file on the website of {domain}, reachable over https.", { domain }),
};

function Begin(props: { method: Method; domain: string; busy: boolean; onBegin(): void }) {
  return (
    <div className="mt-3 space-y-3">
      <p className="text-sm text-muted">{HOW[props.method](props.domain)}</p>
      <Button onClick={props.onBegin} disabled={props.busy}>
        {props.method === "dns" ? t("Get the record") : t("Get the file")}
      </Button>
    </div>
  );
}

function Publish({ record }: { record: ClaimRecord }) {
  const dns = record.method === "dns";
  return (
    <div className="mt-3 space-y-4">
      {dns ? (
        <>
          <CopyLine label={t("Name of the TXT record")} text={record.dns_name} what={t("the name")} />
          <CopyLine label={t("Value")} text={record.value} what={t("the value")} />
        </>
      ) : (
        <>
          <CopyLine label={t("URL of the file")} text={record.https_url} what={t("the URL")} />
          <CopyLine label={t("Content")} text={record.value} what={t("the content")} />
        </>
      )}
      <p className="text-sm text-muted">
        {dns
          ? t(
              "Many providers append the domain to the name; then enter only the part before it. A new record can take minutes, sometimes hours, to become visible.",
            )
          : t("It must be served over https at exactly this URL, without a redirect.")}{" "}
        {rich("Valid until {date}. You can close this page and come back.", {
          date: <Moment at={new Date(record.expires_at)} />,
        })}
      </p>
    </div>
  );
}

/** Describes what was found instead of the expected record, and what to do about it. */
function whatIsMissing({ reason, temporary, instead = [] }: ClaimCheck["missing"][number]): string {
  if (reason === "dns_no_match") {
    if (temporary) return t("The name servers did not respond. Try again in a moment.");
    if (instead.length === 0) {
      return t(
        "There is no TXT record of that name yet. If you have just added it, wait a few minutes; if not, check that its name does not contain the domain twice.",
      );
    }
    const found = instead.map((text) => `“${text}”`).join(", ");
    return t(
      "There is a TXT record of that name, but its value is different: {found}. It must be exactly the value shown here.",
      { found },
    );
  }
  if (reason === "https_mismatch") {
    return t(
      "The website answered, but not with the file: the address must answer with status 200, without a redirect, and the file must contain only the text shown here.",
    );
  }
  return temporary
    ? t("The website did not respond in time. Try again in a moment.")
    : t("The website could not be reached over https. It needs a public address, port 443 and a valid certificate.");
}
