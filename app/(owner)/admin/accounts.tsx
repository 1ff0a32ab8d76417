import { Rows } from "@/components/ui/rows";
import { Section } from "@/components/ui/section";
import { When } from "@/components/ui/when";
import type { PersonSummary } from "@/lib/admin/overview";
import { formatExactly } from "@/lib/contract/numbers";
import { ListPager, type Pages } from "./pager";

interface Props {
  people: PersonSummary[];
  total: number;
  pages: Pages;
  now: Date;
}

/** All accounts. */
export function Accounts({ people, total, pages, now }: Props) {
  return (
    <div id="people" className="scroll-mt-6">
      <Section title={`People: ${formatExactly(total)}`} about="All accounts, newest first.">
        <Rows empty="No accounts on this page.">
          {people.map(({ personId, email, name, since, lastSeen, sites }) => (
            <li key={personId} className="flex items-start justify-between gap-4 py-2.5 text-sm">
              <div className="min-w-0">
                <p className="font-medium [overflow-wrap:anywhere]">
                  {email}
                  {name && <span className="font-normal text-muted"> {name}</span>}
                </p>
                <p className="text-muted">
                  Joined <When at={since} now={now} />,{" "}
                  {lastSeen ? (
                    <>
                      last seen <When at={lastSeen} now={now} />
                    </>
                  ) : (
                    "not signed in"
                  )}
                </p>
              </div>
              <p className="shrink-0 tabular-nums">
                {formatExactly(sites)} <span className="text-muted">{sites === 1 ? "site" : "sites"}</span>
              </p>
            </li>
          ))}
        </Rows>
        <ListPager list="people" pages={pages} total={total} />
      </Section>
    </div>
  );
}
