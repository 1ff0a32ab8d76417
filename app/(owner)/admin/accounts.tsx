import { Badge } from "@/components/ui/badge";
import { rich } from "@/components/ui/rich";
import { Rows } from "@/components/ui/rows";
import { Section } from "@/components/ui/section";
import { When } from "@/components/ui/when";
import type { PersonSummary } from "@/lib/admin/overview";
import { formatExactly } from "@/lib/contract/numbers";
import { t } from "@/lib/texts/translate";
import { ListPager, type Pages } from "./pager";
import { PersonActions } from "./person-actions";

interface Props {
  people: PersonSummary[];
  total: number;
  pages: Pages;
  now: Date;
  /** The reader, who cannot disable themselves. */
  you: number;
  /** How many administrators can sign in. */
  administrators: number;
}

/** All accounts, and what administrators do with them. */
export function Accounts({ people, total, pages, now, you, administrators }: Props) {
  return (
    <div id="people" className="scroll-mt-6">
      <Section
        title={t("People: {count}", { count: formatExactly(total) })}
        about={
          pages.q
            ? t("Accounts whose address or name has these words, newest first.")
            : t("All accounts, newest first.")
        }
      >
        <Rows empty={pages.q ? t("No account has this in its address or name.") : t("No accounts on this page.")}>
          {people.map((person) => (
            <li
              key={person.personId}
              className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 py-2.5 text-sm"
            >
              <div className="min-w-0 flex-1 basis-60">
                <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
                  <span className="min-w-0 [overflow-wrap:anywhere]">
                    {person.email}
                    {person.name && <span className="font-normal text-muted"> {person.name}</span>}
                  </span>
                  {person.personId === you && <Badge>{t("You")}</Badge>}
                  {person.administrator && <Badge tone="accent">{t("Administrator")}</Badge>}
                  {person.disabledAt && <Badge tone="bad">{t("Disabled")}</Badge>}
                  {!person.confirmed && <Badge tone="warn">{t("Not confirmed")}</Badge>}
                </p>
                <p className="text-muted">
                  {rich(
                    "{sites, plural, one {<n>#</n> site} other {<n>#</n> sites}}, joined {joined}, {state, select, disabled {disabled {at}} never {not signed in} other {last seen {at}}}",
                    {
                      sites: person.sites,
                      n: (text) => <span className="tabular-nums">{text}</span>,
                      joined: <When at={person.since} now={now} />,
                      ...lastOf(person, now),
                    },
                  )}
                </p>
              </div>
              <PersonActions
                personId={person.personId}
                email={person.email}
                administrator={person.administrator}
                disabled={person.disabledAt !== null}
                canAdminister={person.confirmed && person.disabledAt === null}
                isLast={administrators === 1 && person.administrator && person.disabledAt === null}
                isYou={person.personId === you}
              />
            </li>
          ))}
        </Rows>
        <ListPager list="people" pages={pages} total={total} />
      </Section>
    </div>
  );
}

/** What happened last to an account, and when. */
function lastOf({ disabledAt, lastSeen }: PersonSummary, now: Date) {
  const at = disabledAt ?? lastSeen;
  return { state: disabledAt ? "disabled" : lastSeen ? "seen" : "never", at: at && <When at={at} now={now} /> };
}
