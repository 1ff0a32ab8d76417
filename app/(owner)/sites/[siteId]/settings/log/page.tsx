import type { Metadata } from "next";
import { query } from "@/app/(owner)/access";
import { titleOfDecision } from "@/lib/agents/entry-titles";
import { undoable } from "@/lib/agents/undo";
import type { Answer } from "@/lib/operations/index";
import sitesAuditList from "@/lib/operations/sites.audit.list";
import sitesMembersList from "@/lib/operations/sites.members.list";
import { t } from "@/lib/texts/translate";
import { openSettings } from "../access";
import { SettingsFrame } from "../frame";
import { Entries, type Entry } from "./entries";
import { LogFilter } from "./filter";
import { type LogQuery, logUrl, readLogQuery } from "./query";

export const generateMetadata = (): Metadata => ({ title: t("Log") });

interface Props {
  params: Promise<{ siteId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** The audit log of a site: who changed what, and when, with undo. */
export default async function LogPage(props: Props) {
  const { owner, site } = await openSettings("log", props);
  const now = new Date();
  const asked = readLogQuery(await props.searchParams);
  const [page, { members }] = await Promise.all([
    query(sitesAuditList, owner, { site_id: site.site_id, ...inputOf(asked) }),
    query(sitesMembersList, owner, { site_id: site.site_id }),
  ]);
  const by = { owner, siteId: site.site_id, now };
  const undo = await undoable(
    by,
    page.entries.map(({ entry_id }) => entry_id),
  );
  const entries = page.entries.map(
    (entry): Entry => ({
      id: entry.entry_id,
      at: new Date(entry.at),
      title: titleIn(entry),
      who: whoOf(entry, owner.personId),
      isReader: entry.person_id === owner.personId,
      agent: entry.client_id === null ? null : { clientId: entry.client_id, name: entry.client_name },
      approvalId: entry.approval_id,
      changes: entry.changes,
      requestId: entry.request_id,
      canUndo: undo.has(entry.entry_id),
    }),
  );
  const url = (change: Partial<LogQuery>) => logUrl(site.site_id, { ...asked, ...change });
  return (
    <SettingsFrame site={site} page="log">
      <Entries
        siteId={site.site_id}
        entries={entries}
        isFiltered={asked.what !== "" || asked.who !== "" || asked.from !== "" || asked.to !== ""}
        newest={asked.cursor === "" ? null : url({ cursor: "" })}
        older={page.cursor === null ? null : url({ cursor: page.cursor })}
        filter={
          <LogFilter
            action={logUrl(site.site_id)}
            {...asked}
            people={members.map(({ person_id, name, email }) => ({
              value: `${person_id}`,
              label: person_id === owner.personId ? t("You") : (name ?? email),
            }))}
          />
        }
      />
    </SettingsFrame>
  );
}

function titleIn({ operation, decision }: Answer<"sites.audit.list">["entries"][number]): string {
  const title = t(titleOfDecision(operation, null));
  if (decision === null) return title;
  return decision === "approved" ? t("Approved: {title}", { title }) : t("Denied: {title}", { title });
}

function whoOf(
  { person_id, person, client_id }: { person_id: number | null; person: string | null; client_id: string | null },
  you: number,
): string | null {
  if (person_id === null) return client_id === null ? t("The service") : null;
  return person_id === you ? t("You") : (person ?? t("A deleted account"));
}

/** Returns the input of the operation that a page asks for. */
const inputOf = ({ what, who, from, to, cursor }: LogQuery) => ({
  operation: what,
  ...(who === "people" || who === "agents" ? { by: who } : who !== "" && { person_id: Number(who) }),
  ...{ from, to, cursor },
});
