"use client";

import { type ReactNode, useState } from "react";
import { AgentName } from "@/components/agents/agent-name";
import { Choice } from "@/components/agents/choice";
import { tickedAtFirst } from "@/components/agents/scope-groups";
import { ScopeList } from "@/components/agents/scope-list";
import { ScopePicker } from "@/components/consent/scope-picker";
import { SitePicker } from "@/components/consent/site-picker";
import { Fact, Facts } from "@/components/ui/facts";
import type { FormFields, FormProblems } from "@/components/ui/form-problems";
import { Heading } from "@/components/ui/heading";
import { Notice } from "@/components/ui/notice";
import { rich } from "@/components/ui/rich";
import { When } from "@/components/ui/when";
import { mayHaveNoSites, type Scope } from "@/lib/contract/access";
import type { ConsentRequest } from "@/lib/oauth/consent";
import { msg, t } from "@/lib/texts/translate";

type Field = "scopes" | "site_ids" | "question";

/** The errors of a decision that the page shows at their place. */
export const CONSENT_FIELDS: FormFields<Field> = {
  fields: ["scopes", "site_ids", "question"],
  fieldOfCode: { site_not_granted: "site_ids", not_found: "question" },
};

/** A decision, as the operations of both flows take it. */
export interface ConsentChoice {
  decision: "approve" | "deny";
  scopes: Scope[];
  site_ids: number[];
}

interface Props {
  question: ConsentRequest;
  /** When the request was opened. */
  now: Date;
  busy: boolean;
  problems: FormProblems<Field>;
  onDecide(choice: ConsentChoice): void;
  /** What to do when the request does not exist any more. */
  gone: string;
  /** Another way out, below the buttons. */
  children?: ReactNode;
}

const NO_SCOPE = msg("Choose at least one permission, or deny.");
const NO_SITE = msg("Choose at least one site: the permissions above need one.");
const NOTHING_NEW_WARNING = msg(
  "Nothing that it asks for is ticked, so the agent keeps only what it has already. Press Allow again to confirm.",
);
const NO_SITES_WARNING = msg("No site is chosen, so the agent will have access to none. Press Allow again to confirm.");

/** Shows what an agent requests, by a code or by itself. The person can remove scopes and sites, then allows or denies. */
export function Consent({ question, now, busy, problems, onDecide, gone, children }: Props) {
  const kept = question.kept_scopes;
  const [scopes, setScopes] = useState<ReadonlySet<Scope>>(
    new Set(tickedAtFirst(question.scopes, question.granted_scopes)),
  );
  const [sites, setSites] = useState<ReadonlySet<number>>(sitesAtFirst(question.sites));
  const [tried, setTried] = useState(false);
  const [warned, setWarned] = useState(false);
  const keptUnasked = question.granted_scopes.filter((scope) => question.more_scopes.includes(scope));
  const has = [...kept, ...scopes];
  const scopeProblem = has.length === 0 ? t(NO_SCOPE) : undefined;
  const getsNothingNew = question.scopes.length > 0 && scopes.size === 0;
  const siteProblem = sites.size === 0 && !mayHaveNoSites(has) ? t(NO_SITE) : undefined;
  const scopeWarning = warned && getsNothingNew ? t(NOTHING_NEW_WARNING) : undefined;
  const hasNoSites = question.sites.length > 0 && sites.size === 0;

  function chooseScopes(ticked: ReadonlySet<Scope>) {
    setScopes(ticked);
    setWarned(false);
  }

  function chooseSites(ticked: ReadonlySet<number>) {
    setSites(ticked);
    setWarned(false);
  }

  function decide(decision: "approve" | "deny") {
    setTried(decision === "approve");
    if (decision === "deny") return onDecide({ decision, scopes: [], site_ids: [] });
    if (scopeProblem || siteProblem) return;
    if ((hasNoSites || getsNothingNew) && !warned) return setWarned(true);
    onDecide({ decision, scopes: [...scopes], site_ids: [...sites] });
  }

  return (
    <>
      <Heading>{t("An agent requests access")}</Heading>
      <p className="mt-1 mb-5 text-muted">{introduction(question)}</p>
      <div className="space-y-4">
        <Notice tone="warn">
          <strong className="font-semibold">{t("If you did not start this just now, deny.")}</strong>
        </Notice>
        <ConsentRequester question={question} now={now} />
        {question.scopes.length > 0 && (
          <ScopePicker
            requested={question.scopes}
            approvals={question.waits_for_approval}
            atOnce={question.made_without_asking}
            ticked={scopes}
            onChange={chooseScopes}
            problem={problems.fields.scopes ?? (tried ? scopeProblem : undefined) ?? scopeWarning}
          />
        )}
        {kept.length > 0 && (
          <section className="card px-4 py-3.5" aria-label={t("Permissions it has already")}>
            <h2 className="mb-1 text-[0.9375rem] font-semibold">{t("It has already")}</h2>
            <ScopeList scopes={kept} />
          </section>
        )}
        {question.more_scopes.length > 0 && (
          <details>
            <summary className="cursor-pointer text-sm text-muted">
              {t("More permissions, which it does not request now")}
            </summary>
            <div className="mt-2 space-y-2">
              {keptUnasked.length > 0 && (
                <div className="card px-4 py-3.5 text-sm">
                  <p className="mb-1 text-muted">
                    {t("It has these already and keeps them. Ticked, this sign-in has them too.")}
                  </p>
                  <ScopeList scopes={keptUnasked} />
                </div>
              )}
              <ScopePicker
                title={t("More permissions")}
                requested={question.more_scopes}
                approvals={question.waits_for_approval}
                atOnce={question.made_without_asking}
                ticked={scopes}
                onChange={chooseScopes}
                problem={undefined}
              />
            </div>
          </details>
        )}
        <SitePicker
          sites={question.sites}
          ticked={sites}
          onChange={chooseSites}
          problem={problems.fields.site_ids ?? (tried && !scopeProblem ? siteProblem : undefined)}
          warning={warned && hasNoSites && !siteProblem ? t(NO_SITES_WARNING) : undefined}
        />
        {problems.fields.question && <Notice>{gone}</Notice>}
        {problems.message && <Notice>{problems.message}</Notice>}
        <Choice yes={t("Allow")} busy={busy} onNo={() => decide("deny")} onYes={() => decide("approve")} />
        <p className="text-center text-sm text-muted">
          {t("You can revoke access at any time.")} {children}
        </p>
      </div>
    </>
  );
}

/** Says what is ticked at first, and what to do. */
function introduction({ scopes, granted_scopes: granted }: ConsentRequest): string {
  if (scopes.length === 0) return t("It requests no new permission. Allow or deny.");
  const ticked = tickedAtFirst(scopes, granted);
  if (ticked.some((scope) => granted.includes(scope))) {
    return t("Reading and what it has already are ticked. Tick what else it should have, then allow or deny.");
  }
  return ticked.length > 0
    ? t("Only reading is ticked. Tick what else it should have, then allow or deny.")
    : t("Nothing is ticked yet. Tick what else it should have, then allow or deny.");
}

/** The sites it already has access to, or the person's only site. */
function sitesAtFirst(sites: ConsentRequest["sites"]): ReadonlySet<number> {
  const ticked = sites.length === 1 ? sites : sites.filter((site) => site.granted);
  return new Set(ticked.map((site) => site.site_id));
}

const ConsentRequester = ({
  question: { client, assistant, ...request },
  now,
}: {
  question: ConsentRequest;
  now: Date;
}) => (
  <section className="card px-5 py-2.5" aria-label={t("Agent")}>
    <Facts>
      <Fact name={t("Agent")}>
        <span className="font-medium">
          <AgentName name={client.name} />
        </span>
        <span className="block text-muted">{t("Name chosen by the agent, not verified")}</span>
      </Fact>
      {assistant && (
        <>
          <Fact name={t("Described by")}>
            {assistant.host === null ? (
              t("Nobody: it registered itself")
            ) : (
              <bdi className="break-all">{assistant.host}</bdi>
            )}
            <span className="block text-muted">{t("Not verified")}</span>
          </Fact>
          <Fact name={t("Access goes to")}>
            <bdi className="font-medium break-all">{assistant.answers}</bdi>
          </Fact>
        </>
      )}
      <Fact name={t("Client")}>
        <span className="font-mono text-[0.8125rem] break-all">{client.client_id}</span>
      </Fact>
      {!assistant && (
        <Fact name={t("Requested")}>
          {rich("{when} from {address}", {
            when: <When at={new Date(request.asked_at)} now={now} />,
            address: request.asked_from ?? t("an unknown address"),
          })}
        </Fact>
      )}
      <Fact name={t("First seen")}>
        <When at={new Date(client.created_at)} now={now} />
      </Fact>
      {request.expires_at && (
        <Fact name={t("Code expires")}>
          <When at={new Date(request.expires_at)} now={now} />
        </Fact>
      )}
    </Facts>
  </section>
);
