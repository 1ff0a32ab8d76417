"use client";

import { useState } from "react";
import { useAction } from "@/components/actions/actions";
import { AgentName } from "@/components/agents/agent-name";
import { Choice } from "@/components/agents/choice";
import { Fact, Facts } from "@/components/ui/facts";
import { Heading } from "@/components/ui/heading";
import { Notice } from "@/components/ui/notice";
import { When } from "@/components/ui/when";
import { mayHaveNoSites, type Scope } from "@/lib/contract/vocabulary";
import type { ConsentRequest } from "@/lib/oauth/consent";
import { ScopePicker } from "./scope-picker";
import { SitePicker } from "./site-picker";

interface Props {
  question: ConsentRequest;
  /** When the code was looked up. */
  now: Date;
  onDecided(allowed: boolean): void;
  onBack(): void;
}

const NO_SCOPE = "Leave at least one thing ticked that it may do, or deny.";
const NO_SITE = "Choose at least one site: what is ticked above cannot be done without one.";
const REACHES_NONE =
  "None of your sites is ticked: it will reach none of them. Press Allow again if that is what you want.";

/** Who asks for what; the person takes away what they do not want to give, and decides. */
export function Consent({ question, now, onDecided, onBack }: Props) {
  const { perform, busy, problems } = useAction("device.decide", {
    site_not_granted: "site_ids",
    not_found: "question",
  });
  const [scopes, setScopes] = useState<ReadonlySet<Scope>>(new Set(question.scopes));
  const [sites, setSites] = useState<ReadonlySet<number>>(tickedAtFirst(question.sites));
  const [tried, setTried] = useState(false);
  const [warned, setWarned] = useState(false);
  const ofScopes = scopes.size === 0 ? NO_SCOPE : undefined;
  const ofSites = sites.size === 0 && !mayHaveNoSites([...scopes]) ? NO_SITE : undefined;
  const reachesNone = question.sites.length > 0 && sites.size === 0;

  function chooseSites(ticked: ReadonlySet<number>) {
    setSites(ticked);
    setWarned(false);
  }

  async function decide(decision: "approve" | "deny") {
    setTried(decision === "approve");
    if (decision === "approve" && (ofScopes || ofSites)) return;
    if (decision === "approve" && reachesNone && !warned) return setWarned(true);
    const given = decision === "approve" ? { scopes: [...scopes], site_ids: [...sites] } : { scopes: [], site_ids: [] };
    const decided = await perform({ question: question.question, decision, ...given });
    if (decided) onDecided(decision === "approve");
  }

  return (
    <>
      <Heading>An agent wants to act for you</Heading>
      <p className="mt-1 mb-5 text-muted">Take away what it should not have, then decide.</p>
      <div className="space-y-4">
        <Notice tone="warn">
          <strong className="font-semibold">If you did not start this just now, deny.</strong>
        </Notice>
        <Asker question={question} now={now} />
        <ScopePicker
          requested={question.scopes}
          approvals={question.waits_for_approval}
          ticked={scopes}
          onChange={setScopes}
          problem={problems.fields.scopes ?? (tried ? ofScopes : undefined)}
        />
        <SitePicker
          sites={question.sites}
          ticked={sites}
          onChange={chooseSites}
          problem={problems.fields.site_ids ?? (tried && !ofScopes ? ofSites : undefined)}
          warning={warned && !ofSites ? REACHES_NONE : undefined}
        />
        {problems.fields.question && <Notice>The code has ended; let your agent ask for a new one.</Notice>}
        {problems.message && <Notice>{problems.message}</Notice>}
        <Choice yes="Allow" busy={busy} onNo={() => decide("deny")} onYes={() => decide("approve")} />
        <p className="text-center text-sm text-muted">
          You can take it back at any time.{" "}
          <button type="button" onClick={onBack} className="text-accent underline">
            Enter another code
          </button>
        </p>
      </div>
    </>
  );
}

/** What it has already; and the only site there is, because then there is no choice to make. */
function tickedAtFirst(sites: ConsentRequest["sites"]): ReadonlySet<number> {
  const ticked = sites.length === 1 ? sites : sites.filter((site) => site.granted);
  return new Set(ticked.map((site) => site.site_id));
}

const Asker = ({ question: { client, ...asked }, now }: { question: ConsentRequest; now: Date }) => (
  <section className="card px-5 py-2.5" aria-label="Who asks">
    <Facts>
      <Fact name="Agent">
        <span className="font-medium">
          <AgentName name={client.name} />
        </span>
        <span className="block text-muted">Name chosen by the agent, not verified</span>
      </Fact>
      <Fact name="Client">
        <span className="font-mono text-[0.8125rem] break-all">{client.client_id}</span>
      </Fact>
      <Fact name="Asked">
        <When at={new Date(asked.asked_at)} now={now} /> from {asked.asked_from ?? "an unknown address"}
      </Fact>
      <Fact name="First seen">
        <When at={new Date(client.created_at)} now={now} />
      </Fact>
      <Fact name="Code ends">
        <When at={new Date(asked.expires_at)} now={now} />
      </Fact>
    </Facts>
  </section>
);
