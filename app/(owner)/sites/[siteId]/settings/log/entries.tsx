import Link from "next/link";
import type { ReactNode } from "react";
import { ChangeLines } from "@/components/agents/change-lines";
import { LogPages } from "@/components/agents/log-parts";
import { rich } from "@/components/ui/rich";
import { Section } from "@/components/ui/section";
import { Moment } from "@/components/ui/when";
import type { ChangeLine } from "@/lib/contract/define";
import { t } from "@/lib/texts/translate";
import { Undo } from "./undo";

/** One entry of the log of a site. */
export interface Entry {
  id: string;
  at: Date;
  title: string;
  /** The person; null for a machine account without one. */
  who: string | null;
  /** Whether the person is the reader. */
  isReader: boolean;
  agent: { clientId: string; name: string | null } | null;
  approvalId: string | null;
  changes: readonly ChangeLine[];
  requestId: string;
  canUndo: boolean;
}

interface Props {
  siteId: number;
  entries: readonly Entry[];
  isFiltered: boolean;
  /** Addresses of the first page, null on it, and of the next one, null on the last. */
  newest: string | null;
  older: string | null;
  filter: ReactNode;
}

/** Who changed what, newest first. */
export function Entries({ siteId, entries, isFiltered, newest, older, filter }: Props) {
  return (
    <Section
      title={t("Log")}
      about={t(
        "Who changed this site, exported its events or decided about its agents. Reports that were read are not listed. Times are in your timezone.",
      )}
    >
      {filter}
      {entries.length === 0 ? (
        <p className="py-8 text-center text-sm text-muted">
          {isFiltered ? t("Nothing like that was done. Choose more above.") : t("Nothing was changed yet.")}
        </p>
      ) : (
        <ol className="divide-y divide-line border-t border-line text-sm">
          {entries.map((entry) => (
            <AuditLogLine key={entry.id} siteId={siteId} entry={entry} />
          ))}
        </ol>
      )}
      <LogPages newest={newest} older={older} />
    </Section>
  );
}

const AuditLogLine = ({ siteId, entry }: { siteId: number; entry: Entry }) => (
  <li className="grid gap-x-4 gap-y-1 py-3 sm:grid-cols-[1fr_auto]">
    <div className="min-w-0">
      <p className="font-medium break-words">
        {entry.approvalId ? (
          <Link href={`/approvals/${entry.approvalId}`} prefetch={false} className="underline">
            {entry.title}
          </Link>
        ) : (
          entry.title
        )}
      </p>
      <p className="text-muted [overflow-wrap:anywhere]">
        <Who entry={entry} />
      </p>
      {entry.changes.length > 0 && <ChangeLines lines={entry.changes} />}
    </div>
    <div className="flex items-start gap-3 text-muted sm:flex-col sm:items-end sm:gap-1.5">
      <span title={t("Request {id}", { id: entry.requestId })}>
        <Moment at={entry.at} />
      </span>
      {entry.canUndo && <Undo siteId={siteId} entryId={entry.id} title={entry.title} lines={entry.changes} />}
    </div>
  </li>
);

function Who({ entry: { who, isReader, agent } }: { entry: Entry }) {
  if (!agent) return who;
  const name = agent.name && <bdi>“{agent.name}”</bdi>;
  if (isReader)
    return name ? rich("The agent {name} of yours", { name }) : t("The agent that is deleted by now of yours");
  if (who === null) return name ? rich("The agent {name}", { name }) : t("The agent that is deleted by now");
  return name
    ? rich("The agent {name} of {person}", { name, person: who })
    : t("The agent that is deleted by now of {person}", { person: who });
}
