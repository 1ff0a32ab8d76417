import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { AgentName } from "@/components/agents/agent-name";
import { ScopeList } from "@/components/agents/scope-list";
import { Fact, Facts } from "@/components/ui/facts";
import { Notice } from "@/components/ui/notice";
import { rich } from "@/components/ui/rich";
import { TextLink } from "@/components/ui/text-link";
import { When } from "@/components/ui/when";
import { actionLog } from "@/lib/agents/action-log";
import { type ApprovalView, listApprovals } from "@/lib/agents/approval-inbox";
import { SCOPES } from "@/lib/contract/access";
import { type Connection, connectionOf } from "@/lib/oauth/connections";
import { legibleHost, siteTitle } from "@/lib/platform/legible-host";
import { msg, t } from "@/lib/texts/translate";
import { signedInOwner } from "../../access";
import { ActionLog } from "./action-log";
import { DisconnectAgent } from "./disconnect";
import { ReduceAccess } from "./reduce-access";

export const generateMetadata = (): Metadata => ({ title: t("Agent") });

interface Props {
  params: Promise<{ clientId: string }>;
  searchParams: Promise<{ before?: string | string[] }>;
}

export default async function AgentPage({ params, searchParams }: Props) {
  const { clientId } = await params;
  const { before } = await searchParams;
  const owner = await signedInOwner();
  const now = new Date();
  const agent = await connectionOf(owner.personId, clientId);
  if (!agent) notFound();
  const cursor = typeof before === "string" ? before : undefined;
  const [{ entries, older }, { waiting }] = await Promise.all([
    actionLog(agent, owner.personId, cursor, now),
    listApprovals(owner.personId, now),
  ]);
  const pending = waiting.filter((approval) => approval.agent.clientId === clientId);
  return (
    <div className="mx-auto max-w-4xl">
      <p className="text-sm">
        {isToken(agent) ? (
          <TextLink href="/account">{t("Account")}</TextLink>
        ) : (
          <TextLink href="/agents">{t("Agents")}</TextLink>
        )}
      </p>
      <div className="mt-1 mb-5 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-72">
          <h1 className="text-2xl font-semibold break-words">
            <AgentName name={agent.name} />
          </h1>
          <p className="mt-1 text-sm text-muted">
            {isToken(agent) ? t("A personal token of yours") : t("Name chosen by the agent, not verified")}
          </p>
        </div>
        {!agent.revokedAt && <DisconnectAgent clientId={agent.clientId} name={agent.name} isToken={isToken(agent)} />}
      </div>
      <div className="space-y-4">
        {agent.revokedAt && (
          <Notice tone="warn">
            {rich(
              isToken(agent)
                ? msg("Ended {when}. It no longer has access; its log stays.")
                : msg("Disconnected {when}. It no longer has access; its log stays."),
              { when: <When at={agent.revokedAt} now={now} /> },
            )}
          </Notice>
        )}
        {pending.length > 0 && <PendingRequests approvals={pending} now={now} />}
        <AboutAgent agent={agent} now={now} />
        {!agent.revokedAt && <Access agent={agent} />}
        <ActionLog entries={entries} older={older} clientId={agent.clientId} newest={cursor === undefined} />
      </div>
    </div>
  );
}

const PendingRequests = ({ approvals, now }: { approvals: ApprovalView[]; now: Date }) => (
  <section className="card px-5 py-4" aria-label={t("Pending requests")}>
    <h2 className="mb-1 text-[0.9375rem] font-semibold">{t("Pending requests")}</h2>
    <ul className="space-y-1 text-sm">
      {approvals.map(({ id, title, site, requestedAt }) => (
        <li key={id} className="break-words">
          <Link href={`/approvals/${id}`} prefetch={false} className="font-medium text-accent underline">
            {t(title)}
          </Link>
          <span className="text-muted">
            {site && ` ${t("on {site}", { site: siteTitle(site) })}`},{" "}
            {rich("requested {when}", { when: <When at={requestedAt} now={now} /> })}
          </span>
        </li>
      ))}
    </ul>
  </section>
);

const isToken = ({ kind }: Connection): boolean => kind === "personal";

const AboutAgent = ({ agent, now }: { agent: Connection; now: Date }) => (
  <section className="card px-5 py-2.5" aria-label={t("About this agent")}>
    <Facts>
      <Fact name={t("Acts")}>
        {agent.kind === "machine" ? t("On its own; you took over its account") : t("For you, within your own roles")}
      </Fact>
      {agent.domain && <Fact name={t("Verified domain")}>{agent.domain}</Fact>}
      {agent.assistant && (
        <Fact name={t("Described by")}>
          <bdi className="break-all">{agent.assistant.host ?? t("Nobody: it registered itself")}</bdi>
          <span className="block text-muted">{t("Not verified")}</span>
        </Fact>
      )}
      <Fact name={t("Client")}>
        <span className="font-mono text-[0.8125rem] break-all">{agent.clientId}</span>
      </Fact>
      <Fact name={isToken(agent) ? t("Made") : t("Connected")}>
        <When at={agent.connectedAt} now={now} />
      </Fact>
      {agent.expiresAt && (
        <Fact name={t("Expires")}>
          <When at={agent.expiresAt} now={now} />
        </Fact>
      )}
      <Fact name={t("Last used")}>{agent.lastUsedAt ? <When at={agent.lastUsedAt} now={now} /> : t("Never")}</Fact>
    </Facts>
  </section>
);

const Access = ({ agent: { clientId, scopes, sites } }: { agent: Connection }) => (
  <section className="card px-5 py-4" aria-label={t("Access")}>
    <ReduceAccess
      clientId={clientId}
      scopes={scopes.map((scope) => ({ scope, about: t(SCOPES[scope]) }))}
      sites={sites.map(({ siteId, domain, name }) => ({ siteId, label: siteTitle({ name, domain }) }))}
    >
      <div className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
        <div>
          <h2 className="mb-1.5 text-[0.9375rem] font-semibold">{t("Permissions")}</h2>
          <ScopeList scopes={scopes} />
        </div>
        <div>
          <h2 className="mb-1.5 text-[0.9375rem] font-semibold">
            {t("{count, plural, one {# site} other {# sites}}", { count: sites.length })}
          </h2>
          {sites.length === 0 && <p className="text-sm text-muted">{t("None of your sites.")}</p>}
          <ul className="space-y-0.5 text-sm">
            {sites.map(({ siteId, domain, name, open }) => (
              <li key={siteId} className="break-words">
                {open ? (
                  <TextLink href={`/sites/${siteId}`}>{siteTitle({ name, domain })}</TextLink>
                ) : (
                  siteTitle({ name, domain })
                )}
                {name && <span className="text-muted"> {legibleHost(domain)}</span>}
              </li>
            ))}
          </ul>
        </div>
      </div>
    </ReduceAccess>
  </section>
);
