"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { useAction } from "@/components/actions/actions";
import { ConfirmAction } from "@/components/actions/confirm-action";
import { Badge, type Tone } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Fact, Facts } from "@/components/ui/facts";
import { formatDate } from "@/components/ui/format";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import { Select } from "@/components/ui/select";
import { connectionInWords } from "@/lib/contract/connection-words";
import { msg, t } from "@/lib/texts/translate";
import { DisconnectSearch } from "./disconnect";

type Provider = "google" | "bing";
type State = "not_configured" | "not_connected" | "connected" | "broken";

interface Known {
  provider: Provider;
  name: string;
  state: State;
  about: string;
  property: string | null;
  properties: string[];
  fresh_until: string | null;
  days_left: number;
  error: string | null;
}

interface Props {
  siteId: number;
  connection: Known;
  /** Formatted times; null without one. */
  connected: ReactNode;
  fetched: ReactNode;
  next: ReactNode;
  mayConnect: boolean;
  mayFetch: boolean;
}

const STATES: Record<State, { text: string; tone: Tone }> = {
  not_configured: { text: msg("Not set up"), tone: "plain" },
  not_connected: { text: msg("Not connected"), tone: "plain" },
  connected: { text: msg("Connected"), tone: "good" },
  broken: { text: msg("Broken"), tone: "bad" },
};

/** One provider of search data: how the site is connected, and what can be done about it. */
export function Connection({ siteId, connection, connected, fetched, next, mayConnect, mayFetch }: Props) {
  const { provider, name, state, about, property, error } = connection;
  const [isEnding, setEnding] = useState(false);
  const isConnected = state === "connected";
  const hasConsent = isConnected || state === "broken";
  return (
    <Section title={name} badge={<Badge tone={STATES[state].tone}>{t(STATES[state].text)}</Badge>}>
      <div className="space-y-4">
        {state === "broken" || error ? (
          <Notice tone={state === "broken" ? "bad" : "warn"} isPermanent>
            {connectionInWords(about)}
          </Notice>
        ) : (
          <p className="text-sm text-muted">{connectionInWords(about)}</p>
        )}
        {property !== null && (
          <Facts>
            <Fact name={factName("property")}>
              <Property siteId={siteId} connection={connection} mayChange={mayConnect && isConnected} />
            </Fact>
            {connected && <Fact name={factName("connected")}>{connected}</Fact>}
            {fetched && <Fact name={factName("fetched")}>{fetched}</Fact>}
            {next && <Fact name={factName("next")}>{next}</Fact>}
            {connection.fresh_until && <Fact name={factName("until")}>{formatDate(connection.fresh_until)}</Fact>}
            {connection.days_left > 0 && (
              <Fact name={factName("history")}>
                {t("{count, plural, one {# earlier day} other {# earlier days}} to fetch", {
                  count: connection.days_left,
                })}
              </Fact>
            )}
          </Facts>
        )}
        <div className="flex flex-wrap items-center gap-2 empty:hidden">
          {mayConnect && state !== "not_configured" && !isConnected && (
            <ConnectSearch siteId={siteId} provider={provider} isAgain={state === "broken"} />
          )}
          {mayFetch && isConnected && <FetchNow siteId={siteId} provider={provider} />}
          {mayConnect && property !== null && (
            <Button look="quiet" size="small" onClick={() => setEnding(true)}>
              {hasConsent ? t("Disconnect") : t("Delete its numbers")}
            </Button>
          )}
        </div>
      </div>
      {isEnding && (
        <DisconnectSearch
          siteId={siteId}
          provider={provider}
          name={name}
          hasConsent={hasConsent}
          onDone={() => setEnding(false)}
        />
      )}
    </Section>
  );
}

const factName = (fact: "property" | "connected" | "fetched" | "next" | "until" | "history"): string =>
  t(
    "{fact, select, property {Property} connected {Connected} fetched {Last fetch} next {Next fetch} until {Numbers until} other {History}}",
    { fact },
  );

/** Sends the browser to the provider, where its owner consents. */
function ConnectSearch({ siteId, provider, isAgain }: { siteId: number; provider: Provider; isAgain: boolean }) {
  const { perform, busy, problems } = useAction("search.connect");
  const [isLeaving, setLeaving] = useState(false);

  async function leave() {
    const answer = await perform({ site_id: siteId, provider });
    if (!answer) return;
    setLeaving(true);
    window.location.assign(answer.url);
  }

  return (
    <>
      <Button size="small" disabled={busy || isLeaving} onClick={leave}>
        {busy || isLeaving ? t("One moment…") : isAgain ? t("Connect again") : t("Connect")}
      </Button>
      {problems.message && (
        <span role="alert" className="text-sm text-bad">
          {problems.message}
        </span>
      )}
    </>
  );
}

function FetchNow({ siteId, provider }: { siteId: number; provider: Provider }) {
  const { perform, busy, problems } = useAction("sites.search_engines.refresh");
  const [isPlanned, setPlanned] = useState(false);
  const router = useRouter();

  async function fetchNow() {
    setPlanned((await perform({ site_id: siteId, provider })) !== null);
    router.refresh();
  }

  return (
    <>
      <Button look="quiet" size="small" disabled={busy} onClick={fetchNow}>
        {t("Fetch now")}
      </Button>
      <span role="status" className="order-last text-sm text-muted">
        {problems.message ?? (isPlanned ? t("The fetch begins within seconds.") : "")}
      </span>
    </>
  );
}

/** The property, or a choice of those that fit. */
function Property({
  siteId,
  connection: { provider, name, property, properties },
  mayChange,
}: {
  siteId: number;
  connection: Known;
  mayChange: boolean;
}) {
  const [chosen, setChosen] = useState<string>();
  const router = useRouter();
  if (!mayChange || properties.length < 2) return <span className="[overflow-wrap:anywhere]">{property}</span>;
  return (
    <>
      <Select
        quiet
        label={t("Property at {provider}", { provider: name })}
        choices={properties.map((value) => ({ value, label: value }))}
        value={property ?? ""}
        onChange={(event) => setChosen(event.target.value)}
      />
      {chosen !== undefined && (
        <ConfirmAction
          operation="sites.search_engines.update"
          input={{ site_id: siteId, provider, property: chosen }}
          title={t("Change the property?")}
          action={t("{action, select, change {Change} other {Delete}}", { action: "change" })}
          onDone={() => {
            setChosen(undefined);
            router.refresh();
          }}
          onCancel={() => setChosen(undefined)}
        >
          <p>
            {t("The numbers of {property} are deleted, and those of {chosen} are fetched.", {
              property: property ?? "",
              chosen,
            })}
          </p>
        </ConfirmAction>
      )}
    </>
  );
}
