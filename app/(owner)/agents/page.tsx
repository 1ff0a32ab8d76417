import type { Metadata } from "next";
import Link from "next/link";
import { AgentName } from "@/components/agents/agent-name";
import { scopesInLine } from "@/components/agents/scope-list";
import { Badge } from "@/components/ui/badge";
import { ButtonLink } from "@/components/ui/button-link";
import { CopyLine } from "@/components/ui/copy-line";
import { rich } from "@/components/ui/rich";
import { Steps } from "@/components/ui/steps";
import { TextLink } from "@/components/ui/text-link";
import { When } from "@/components/ui/when";
import { type Connection, listConnections, listOtherAgents } from "@/lib/oauth/connections";
import { env } from "@/lib/platform/env";
import { legibleHost } from "@/lib/platform/legible-host";
import { msg, t } from "@/lib/texts/translate";
import { signedInOwner } from "../access";
import { OtherAgents } from "./other-agents";

export const generateMetadata = (): Metadata => ({ title: t("Agents") });

export default async function AgentsPage() {
  const owner = await signedInOwner();
  const now = new Date();
  const [{ active, ended }, others] = await Promise.all([
    listConnections(owner.personId, now),
    listOtherAgents(owner.personId),
  ]);
  return (
    <div className="mx-auto max-w-4xl">
      <div className="mb-6 flex items-start justify-between gap-4">
        <div>
          <h1 className="text-2xl font-semibold">{t("Agents")}</h1>
          <p className="mt-1 text-muted">
            {rich(
              "Software that can act on your sites, and its permissions. Tokens of your scripts are on your <link>account page</link>.",
              { link: (text) => <TextLink href="/account">{text}</TextLink> },
            )}
          </p>
          {active.length > 0 && others.length > 0 && (
            <p className="mt-1 text-sm">
              <a href="#others" className="text-accent underline">
                {t("Other agents on your sites: {count}", { count: others.length })}
              </a>
            </p>
          )}
        </div>
        <ButtonLink href="/device" look="quiet">
          {t("Enter a code")}
        </ButtonLink>
      </div>
      <div className="space-y-8">
        {active.length === 0 ? <NoAgents /> : <Connections name={t("Connected")} agents={active} now={now} />}
        {others.length > 0 && (
          <OtherAgents
            agents={others.map(({ lastUsedAt, ...agent }) => ({
              ...agent,
              site: { ...agent.site, domain: legibleHost(agent.site.domain) },
              mayDo: scopesInLine(agent.scopes),
              lastUsed: lastUsedAt ? <When at={lastUsedAt} now={now} /> : null,
            }))}
          />
        )}
        {ended.length > 0 && <Connections name={t("Disconnected in the last 90 days")} agents={ended} now={now} />}
      </div>
    </div>
  );
}

function Connections({ name, agents, now }: { name: string; agents: Connection[]; now: Date }) {
  return (
    <section aria-label={name}>
      <h2 className="mb-2 text-[0.9375rem] font-semibold">{name}</h2>
      <ul className="card divide-y divide-line">
        {agents.map((agent) => (
          <AgentRow key={agent.clientId} agent={agent} now={now} />
        ))}
      </ul>
    </section>
  );
}

function AgentRow({ agent, now }: { agent: Connection; now: Date }) {
  const { sites, revokedAt, lastUsedAt } = agent;
  return (
    <li className="relative flex flex-wrap items-start justify-between gap-x-6 gap-y-1 px-4 py-3 first:rounded-t-xl last:rounded-b-xl hover:bg-sunken/60">
      <div className="min-w-0 flex-1 basis-72">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Link
            href={`/agents/${agent.clientId}`}
            prefetch={false}
            className="min-w-0 font-medium break-words after:absolute after:inset-0 after:rounded-xl"
          >
            <span className="line-clamp-2">
              <AgentName name={agent.name} />
            </span>
          </Link>
          <Badge>{agent.kind === "delegated" ? t("For you") : t("On its own")}</Badge>
        </p>
        {agent.assistant && (
          <p className="text-sm break-all text-muted">
            {agent.assistant.host ?? t("Registered itself")} · {t("not verified")}
          </p>
        )}
        {!revokedAt && <p className="text-sm break-words text-muted">{scopesInLine(agent.scopes)}</p>}
      </div>
      <p className="text-sm text-muted sm:text-right">
        {!revokedAt && (
          <>
            <span className="sm:block">
              {t("{count, plural, one {# site} other {# sites}}", { count: sites.length })}
            </span>
            <span className="sm:hidden"> · </span>
          </>
        )}
        {revokedAt ? (
          rich("Disconnected {when}", { when: <When at={revokedAt} now={now} /> })
        ) : (
          <>
            <span className="sm:block">
              {lastUsedAt ? rich("Used {when}", { when: <When at={lastUsedAt} now={now} /> }) : t("Never used")}
            </span>
            <span className="sm:hidden"> · </span>
            <span className="sm:block">
              {rich("Connected {when}", { when: <When at={agent.connectedAt} now={now} /> })}
            </span>
          </>
        )}
      </p>
    </li>
  );
}

const STEPS = [
  [msg("Give your agent the docs"), msg("One llms.txt describes the whole API. The agent then shows you a code.")],
  [msg("Enter the code here"), msg("You choose its permissions and sites. It never gets your password.")],
  [
    msg("Let it work"),
    msg("You see every change it makes, approve risky ones, and can revoke its access at any time."),
  ],
] as const;

/** Empty state of the agents page. */
const NoAgents = () => (
  <section className="card" aria-label={t("How to connect an agent")}>
    <h2 className="px-4 pt-4 font-semibold">{t("No connected agents")}</h2>
    <Steps steps={STEPS.map(([title, text]) => [t(title), t(text)] as const)} />
    <div className="border-t border-line p-4">
      <CopyLine
        label={t("Tell your agent")}
        text={t("Read {address} and connect to my analytics there. Then show me the code that I enter.", {
          address: `${env().BASE_URL}/llms.txt`,
        })}
        what={t("the prompt")}
      />
    </div>
    <p className="border-t border-line p-4 text-sm">
      <Link href="/docs/agents" prefetch={false} className="font-medium text-accent underline">
        {t("How to connect an agent")}
      </Link>
    </p>
  </section>
);
