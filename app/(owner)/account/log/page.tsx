import type { Metadata } from "next";
import { ChangeLines } from "@/components/agents/change-lines";
import { LogPages, OnSite } from "@/components/agents/log-parts";
import { PillLink } from "@/components/ui/pill-link";
import { rich } from "@/components/ui/rich";
import { Section } from "@/components/ui/section";
import { TextLink } from "@/components/ui/text-link";
import { Moment } from "@/components/ui/when";
import { ACCOUNT_LOGS, type AccountEntry, type AccountLog, accountLog } from "@/lib/agents/account-log";
import { t } from "@/lib/texts/translate";
import { signedInOwner } from "../../access";

export const generateMetadata = (): Metadata => ({ title: t("Your log") });

interface Props {
  searchParams: Promise<{ of?: string | string[]; before?: string | string[] }>;
}

/** What the person and their agents did, and what was done to the account. */
export default async function AccountLogPage({ searchParams }: Props) {
  const owner = await signedInOwner();
  const query = await searchParams;
  const of = (Object.keys(ACCOUNT_LOGS) as AccountLog[]).find((one) => one === query.of) ?? "all";
  const before = typeof query.before === "string" ? query.before : undefined;
  const { entries, older } = await accountLog(owner.personId, of, before);
  return (
    <div className="mx-auto max-w-2xl">
      <TextLink href="/account">{t("Account")}</TextLink>
      <h1 className="mt-1 mb-6 text-2xl font-semibold">{t("Your log")}</h1>
      <Section
        title={t("What was done")}
        about={t(
          "By you, by agents and tokens that act for you, and to your account. Each site has a log of its own in its settings, with undo.",
        )}
      >
        <nav aria-label={t("Show")} className="mb-2 flex flex-wrap gap-1 text-sm">
          {(Object.keys(ACCOUNT_LOGS) as AccountLog[]).map((one) => (
            <PillLink key={one} href={addressOf(one)} aria-current={one === of}>
              {t(ACCOUNT_LOGS[one])}
            </PillLink>
          ))}
        </nav>
        {entries.length === 0 ? (
          <p className="py-8 text-center text-sm text-muted">{before ? t("No older entries.") : t("Nothing yet.")}</p>
        ) : (
          <ol className="divide-y divide-line border-t border-line text-sm">
            {entries.map((entry) => (
              <AccountLogLine key={entry.id} entry={entry} />
            ))}
          </ol>
        )}
        <LogPages newest={before ? addressOf(of) : null} older={older && addressOf(of, older)} />
      </Section>
    </div>
  );
}

function addressOf(of: AccountLog, before?: string): string {
  const query = new URLSearchParams({ ...(of !== "all" && { of }), ...(before && { before }) });
  return `/account/log${query.size > 0 ? `?${query}` : ""}`;
}

const AccountLogLine = ({ entry: { at, title, agent, site, changes, requestId } }: { entry: AccountEntry }) => (
  <li className="grid gap-x-4 gap-y-1 py-3 sm:grid-cols-[1fr_auto]">
    <div className="min-w-0">
      <p className="break-words">
        <span className="font-medium">{t(title)}</span>
        {site && <OnSite domain={site.domain} />}
      </p>
      {agent && (
        <p className="text-muted [overflow-wrap:anywhere]">
          {agent.name
            ? rich("The agent <name>“{agent}”</name>", { agent: agent.name, name: (text) => <bdi>{text}</bdi> })
            : t("The agent that is deleted by now")}
        </p>
      )}
      {changes.length > 0 && <ChangeLines lines={changes} />}
    </div>
    <span className="text-muted" title={t("Request {id}", { id: requestId })}>
      <Moment at={at} />
    </span>
  </li>
);
