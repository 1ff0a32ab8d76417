"use client";

import { useState } from "react";
import { useAction } from "@/components/actions/actions";
import { AgentName } from "@/components/agents/agent-name";
import { Choice } from "@/components/agents/choice";
import { tickedAtFirst } from "@/components/agents/scope-groups";
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
  /** When the code was entered. */
  now: Date;
  onDecided(allowed: boolean): void;
  onBack(): void;
}

const NO_SCOPE = "Choose at least one permission, or deny.";
const NO_SITE = "Choose at least one site: the permissions above need one.";
const NO_SITES_WARNING = "No site is chosen, so the agent will have access to none. Press Allow again to confirm.";

/** Shows what the agent requests. The person can remove scopes and sites, then allows or denies. */
export function Consent({ question, now, onDecided, onBack }: Props) {
  const { perform, busy, problems } = useAction("device.decide", {
    fields: ["scopes", "site_ids", "question"],
    fieldOfCode: { site_not_granted: "site_ids", not_found: "question" },
  });
  const [scopes, setScopes] = useState<ReadonlySet<Scope>>(
    new Set(tickedAtFirst(question.scopes, question.granted_scopes)),
  );
  const [sites, setSites] = useState<ReadonlySet<number>>(sitesAtFirst(question.sites));
  const [tried, setTried] = useState(false);
  const [warned, setWarned] = useState(false);
  const scopeProblem = scopes.size === 0 ? NO_SCOPE : undefined;
  const siteProblem = sites.size === 0 && !mayHaveNoSites([...scopes]) ? NO_SITE : undefined;
  const hasNoSites = question.sites.length > 0 && sites.size === 0;

  function chooseSites(ticked: ReadonlySet<number>) {
    setSites(ticked);
    setWarned(false);
  }

  async function decide(decision: "approve" | "deny") {
    setTried(decision === "approve");
    if (decision === "approve" && (scopeProblem || siteProblem)) return;
    if (decision === "approve" && hasNoSites && !warned) return setWarned(true);
    const granted =
      decision === "approve" ? { scopes: [...scopes], site_ids: [...sites] } : { scopes: [], site_ids: [] };
    const decided = await perform({ question: question.question, decision, ...granted });
    if (decided) onDecided(decision === "approve");
  }

  return (
    <>
      <Heading>An agent requests access</Heading>
      <p className="mt-1 mb-5 text-muted">
        {question.granted_scopes.length > 0 ? "Reading and what it has already are ticked." : "Only reading is ticked."}{" "}
        Tick what else it should have, then allow or deny.
      </p>
      <div className="space-y-4">
        <Notice tone="warn">
          <strong className="font-semibold">If you did not start this just now, deny.</strong>
        </Notice>
        <Requester question={question} now={now} />
        <ScopePicker
          requested={question.scopes}
          approvals={question.waits_for_approval}
          atOnce={question.made_without_asking}
          ticked={scopes}
          onChange={setScopes}
          problem={problems.fields.scopes ?? (tried ? scopeProblem : undefined)}
        />
        <SitePicker
          sites={question.sites}
          ticked={sites}
          onChange={chooseSites}
          problem={problems.fields.site_ids ?? (tried && !scopeProblem ? siteProblem : undefined)}
          warning={warned && !siteProblem ? NO_SITES_WARNING : undefined}
        />
        {problems.fields.question && <Notice>The code has expired. Let your agent request a new one.</Notice>}
        {problems.message && <Notice>{problems.message}</Notice>}
        <Choice yes="Allow" busy={busy} onNo={() => decide("deny")} onYes={() => decide("approve")} />
        <p className="text-center text-sm text-muted">
          You can revoke access at any time.{" "}
          <button type="button" onClick={onBack} className="text-accent underline">
            Enter another code
          </button>
        </p>
      </div>
    </>
  );
}

/** The sites it already has access to, or the person's only site. */
function sitesAtFirst(sites: ConsentRequest["sites"]): ReadonlySet<number> {
  const ticked = sites.length === 1 ? sites : sites.filter((site) => site.granted);
  return new Set(ticked.map((site) => site.site_id));
}

const Requester = ({ question: { client, ...request }, now }: { question: ConsentRequest; now: Date }) => (
  <section className="card px-5 py-2.5" aria-label="Agent">
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
      <Fact name="Requested">
        <When at={new Date(request.asked_at)} now={now} /> from {request.asked_from ?? "an unknown address"}
      </Fact>
      <Fact name="First seen">
        <When at={new Date(client.created_at)} now={now} />
      </Fact>
      <Fact name="Code expires">
        <When at={new Date(request.expires_at)} now={now} />
      </Fact>
    </Facts>
  </section>
);
