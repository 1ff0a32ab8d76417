import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { AgentName } from "@/components/agents/agent-name";
import { APPROVAL_STATES } from "@/components/agents/approval-states";
import { ChangeTable } from "@/components/agents/change-table";
import { describeLoss } from "@/components/agents/loss-text";
import { Badge } from "@/components/ui/badge";
import { Fact, Facts } from "@/components/ui/facts";
import { Notice } from "@/components/ui/notice";
import { Refresh } from "@/components/ui/refresh";
import { rich } from "@/components/ui/rich";
import { TextLink } from "@/components/ui/text-link";
import { When } from "@/components/ui/when";
import { type ApprovalView, approvalFor, replacementOf } from "@/lib/agents/approval-inbox";
import { RISKS } from "@/lib/contract/access";
import { legibleHost } from "@/lib/platform/legible-host";
import { capitalise } from "@/lib/texts/capitalise";
import { t } from "@/lib/texts/translate";
import { signedInOwner } from "../../access";
import { Decision } from "./decision";

export const generateMetadata = (): Metadata => ({ title: t("Approval") });

export default async function ApprovalPage({ params }: { params: Promise<{ approvalId: string }> }) {
  const { approvalId } = await params;
  const owner = await signedInOwner();
  const now = new Date();
  const approval = await approvalFor(approvalId, owner.personId, now);
  if (!approval) notFound();
  const { state } = approval;
  const replacement = state === "superseded" ? await replacementOf(approvalId, owner.personId, now) : null;
  return (
    <div className="mx-auto max-w-2xl">
      <Head approval={approval} />
      <div className="space-y-4">
        {state === "approved" && <Refresh everyMs={4_000} />}
        {state === "pending" && <Refresh everyMs={10_000} />}
        {state !== "pending" && <Outcome approval={approval} replacement={replacement} now={now} />}
        <section className="card overflow-hidden" aria-label={t("Change")}>
          <ChangeTable lines={approval.lines} />
          {approval.about && <p className="border-t border-line px-5 py-3 text-sm text-muted">{approval.about}</p>}
        </section>
        {state === "pending" && approval.risk === "destructive" && (
          <Notice tone="warn">
            <strong className="font-semibold">{t("This cannot be undone.")}</strong>
            {approval.loss && ` ${describeLoss(approval.loss)}`}
          </Notice>
        )}
        {state === "pending" && <BindingCode code={approval.bindingCode} />}
        <ApprovalRequester approval={approval} now={now} />
        {state === "pending" &&
          (approval.whyNot ? (
            <Notice tone="warn">{approval.whyNot}</Notice>
          ) : (
            <Decision id={approval.id} typed={approval.typed} />
          ))}
      </div>
    </div>
  );
}

const Head = ({ approval: { title, risk, site, state } }: { approval: ApprovalView }) => (
  <>
    <p className="text-sm">
      <TextLink href="/approvals">{t("Approvals")}</TextLink>
    </p>
    <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1">
      <h1 className="text-2xl font-semibold">{t(title)}</h1>
      {state !== "pending" && <Badge tone={APPROVAL_STATES[state].tone}>{t(APPROVAL_STATES[state].label)}</Badge>}
    </div>
    <p className="mt-1 mb-5 break-words text-muted">
      {site && <>{rich("On {site}.", { site: <Site site={site} /> })} </>}
      {!(state === "pending" && risk === "destructive") && t("This {risk}.", { risk: t(RISKS[risk].about) })}
    </p>
  </>
);

function Site({ site }: { site: NonNullable<ApprovalView["site"]> }) {
  const label = site.name ? `${site.name} (${legibleHost(site.domain)})` : legibleHost(site.domain);
  if (!site.open) return <span className="font-medium text-ink">{label}</span>;
  return (
    <Link href={`/sites/${site.siteId}`} prefetch={false} className="font-medium text-ink underline">
      {label}
    </Link>
  );
}

const BindingCode = ({ code }: { code: string }) => (
  <section
    className="card flex flex-wrap items-center justify-between gap-x-6 gap-y-1 px-5 py-4"
    aria-label={t("Code of this request")}
  >
    <p className="min-w-0 flex-1 basis-60 text-sm text-muted">
      {t("Your agent shows the same code. If it shows a different one, or you did not expect this request, deny it.")}
    </p>
    <p className="font-mono text-3xl font-semibold tracking-wider tabular-nums">{code}</p>
  </section>
);

function ApprovalRequester({ approval, now }: { approval: ApprovalView; now: Date }) {
  const { agent } = approval;
  return (
    <section className="card px-5 py-2.5" aria-label={t("Requested by")}>
      <Facts>
        <Fact name={t("Requested by")}>
          <span className="font-medium">
            <AgentName name={agent.name} />
          </span>
          <span className="block text-muted">
            {agent.isToken ? t("A personal token") : t("Name chosen by the agent, not verified")}
          </span>
        </Fact>
        <Fact name={t("Client")}>
          {agent.own ? (
            <Link
              href={`/agents/${agent.clientId}`}
              prefetch={false}
              className="font-mono text-[0.8125rem] break-all underline"
            >
              {agent.clientId}
            </Link>
          ) : (
            <span className="font-mono text-[0.8125rem] break-all">{agent.clientId}</span>
          )}
        </Fact>
        {agent.domain && <Fact name={t("Verified domain")}>{agent.domain}</Fact>}
        <Fact name={t("Acts for")}>
          {agent.actsFor === null
            ? t("No one: it acts on its own")
            : t("{person, select, you {You} other {{name}}}", {
                person: agent.actsFor,
                name: capitalise(agent.actsFor),
              })}
        </Fact>
        <Fact name={t("Requested")}>
          <When at={approval.requestedAt} now={now} />
        </Fact>
        {approval.state === "pending" && (
          <Fact name={t("Expires")}>
            <When at={approval.expiresAt} now={now} />
          </Fact>
        )}
        {approval.state !== "pending" && <Fact name={t("Code")}>{approval.bindingCode}</Fact>}
      </Facts>
    </section>
  );
}

interface OutcomeProps {
  approval: ApprovalView;
  /** Id of the request that superseded this one. */
  replacement: string | null;
  now: Date;
}

function Outcome({ approval, replacement, now }: OutcomeProps) {
  const { state, decidedAt, decidedBy, usedAt } = approval;
  const tone = state === "denied" ? "bad" : state === "approved" || state === "done" ? "good" : "warn";
  return (
    <Notice tone={tone === "bad" ? "warn" : tone}>
      {decidedAt && (
        <p className="font-semibold">
          {rich(
            "{decision, select, denied {Denied} other {Approved}} by {person, select, you {you} deleted {a deleted account} other {{person}}} {when}{used, select, yes {, used {at}} other {}}.",
            {
              decision: state,
              person: decidedBy ?? "deleted",
              when: <When at={decidedAt} now={now} />,
              used: usedAt ? "yes" : "no",
              at: usedAt && <When at={usedAt} now={now} />,
            },
          )}
        </p>
      )}
      <p>{t(APPROVAL_STATES[state].next)}</p>
      {replacement && (
        <p>
          {rich("The agent has sent a new request: <link>open the current request</link>.", {
            link: (text) => (
              <Link href={`/approvals/${replacement}`} prefetch={false} className="font-medium underline">
                {text}
              </Link>
            ),
          })}
        </p>
      )}
      {state === "approved" && (
        <p>
          {rich("The approval expires {when}. You can close this page and go back to your agent.", {
            when: <When at={approval.expiresAt} now={now} />,
          })}
        </p>
      )}
    </Notice>
  );
}
