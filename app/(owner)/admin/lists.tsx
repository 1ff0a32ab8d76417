import { Badge } from "@/components/ui/badge";
import { Rows } from "@/components/ui/rows";
import { Section } from "@/components/ui/section";
import type { ListStatus } from "@/lib/admin/lists";
import { t } from "@/lib/texts/translate";

/** The lists that decide what is a robot, with their dates: an old list is wrong about what appeared since. */
export function Lists({ lists }: { lists: ListStatus[] }) {
  const outdated = lists.filter((list) => list.outdated).length;
  return (
    <Section
      title={t("Lists")}
      about={t(
        "By these, bots, AI agents, spam and data centres are recognised. A new version of Footfall brings newer ones; lists.json in the data folder adds your own entries.",
      )}
    >
      {outdated > 0 && (
        <p className="mb-3 rounded-md bg-warn-soft px-3 py-2 text-sm text-warn">
          {t(
            "{count, plural, one {One list is} other {# lists are}} more than a year old: what appeared since is not recognised. Install a newer version of Footfall.",
            { count: outdated },
          )}
        </p>
      )}
      <Rows empty={t("There are none.")}>
        {lists.map(({ title, entries, source, licence, date, outdated }) => (
          <li key={source + title} className="flex items-start justify-between gap-4 py-2.5 text-sm">
            <div className="min-w-0">
              <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
                {t(title)}
                {outdated && <Badge tone="warn">{t("More than a year old")}</Badge>}
              </p>
              <p className="text-muted [overflow-wrap:anywhere]">
                {entries !== null && `${t("{count, plural, one {# entry} other {# entries}}", { count: entries })}, `}
                {source.startsWith("https://") ? (
                  <a className="underline" href={source}>
                    {nameOf(source)}
                  </a>
                ) : (
                  source
                )}
                {licence !== null && `, ${licence}`}
              </p>
            </div>
            {date !== null && (
              <time dateTime={date} className="shrink-0 text-muted tabular-nums">
                {date}
              </time>
            )}
          </li>
        ))}
      </Rows>
    </Section>
  );
}

/** Returns the repository of a URL, such as `ipverse/as-ip-blocks`. */
const nameOf = (url: string): string => new URL(url).pathname.split("/").slice(1, 3).join("/");
