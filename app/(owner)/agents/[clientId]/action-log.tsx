import Link from "next/link";
import { LogPages, OnSite } from "@/components/agents/log-parts";
import { Moment } from "@/components/ui/when";
import type { ActionLogEntry } from "@/lib/agents/action-log";
import { t } from "@/lib/texts/translate";
import { Restore } from "./restore";

interface Props {
  entries: ActionLogEntry[];
  /** Cursor of the next page, or null. */
  older: string | null;
  clientId: string;
  /** Whether this is the first page. */
  newest: boolean;
}

/** Changes that the agent made and decisions about it, newest first. */
export function ActionLog({ entries, older, clientId, newest }: Props) {
  return (
    <section className="card px-5 pt-4 pb-3" aria-label={t("Log")}>
      <h2 className="text-[0.9375rem] font-semibold">{t("Log")}</h2>
      <p className="mb-2 text-sm text-muted">
        {t("Every change it made and every decision about it. Reads are not logged. Times are in your timezone.")}
      </p>
      {entries.length === 0 ? (
        <p className="py-6 text-center text-sm text-muted">
          {newest ? t("It has not changed anything yet.") : t("No older entries.")}
        </p>
      ) : (
        <ol className="divide-y divide-line text-sm">
          {entries.map((entry) => (
            <ActionLogLine key={entry.id} entry={entry} />
          ))}
        </ol>
      )}
      <LogPages newest={newest ? null : `/agents/${clientId}`} older={older && `/agents/${clientId}?before=${older}`} />
    </section>
  );
}

function ActionLogLine({ entry }: { entry: ActionLogEntry }) {
  return (
    <li className="grid gap-x-4 py-2 sm:grid-cols-[12rem_1fr_auto]">
      <span className="text-muted">
        <Moment at={entry.at} seconds />
      </span>
      <p className="min-w-0 break-words">
        {entry.approvalId ? (
          <Link href={`/approvals/${entry.approvalId}`} prefetch={false} className="font-medium underline">
            {t(entry.title)}
          </Link>
        ) : (
          <span className="font-medium">{t(entry.title)}</span>
        )}
        {entry.site && <OnSite domain={entry.site.domain} />}
        {entry.by && (
          <span className="text-muted">
            , {t("by {person, select, you {you} other {{person}}}", { person: entry.by })}
          </span>
        )}
        {entry.restoration && <Restore {...entry.restoration} />}
      </p>
      <span className="font-mono text-xs break-all text-muted sm:max-w-72 sm:text-right" title={t("Request id")}>
        {entry.requestId}
      </span>
    </li>
  );
}
