import type { ActionData } from "@/components/actions/typed";
import { Button } from "@/components/ui/button";
import { Fact, Facts } from "@/components/ui/facts";
import { formatRange } from "@/components/ui/format";
import { Notice } from "@/components/ui/notice";
import { DIMENSIONS, isDimension } from "@/lib/analytics/query/dimensions";
import { noteInWords } from "@/lib/contract/note-words";
import { formatExactly } from "@/lib/contract/numbers";
import { t } from "@/lib/texts/translate";
import { serviceTitle } from "./source-names";

interface Props {
  run: ActionData<"sites.imports.list">["runs"][number];
  busy: boolean;
  onStart(): void;
  onOthers(): void;
}

const titleOf = (key: string): string => (isDimension(key) ? t(DIMENSIONS[key].label) : key);
const orUnknown = (value: number | null) =>
  value === null ? t("Unknown: the files do not tell") : formatExactly(value);

/** What an import would store, before it is started. */
export function ImportPreview({ run, busy, onStart, onOthers }: Props) {
  const { sums } = run;
  if (!sums) return null;
  const { days, own_days, replaced_days, notes, dimensions } = sums;
  const { removable } = run;
  return (
    <div className="space-y-4">
      {!removable && (
        <Notice tone="warn">
          <p className="font-medium">{t("This import cannot be undone.")}</p>
          <p className="mt-1">
            {t(
              "Its events become the site's own, and nothing tells them from the others. To try it first, import the file into a new site, which you can delete.",
            )}
          </p>
        </Notice>
      )}
      <Facts>
        <Fact name={t("Service")}>{serviceTitle(run.source)}</Fact>
        <Fact name={t("Files")}>{run.files.join(", ")}</Fact>
        <Fact name={t("Days")}>
          {t("{days, plural, one {# day} other {# days}}", { days })}, {formatRange(sums.from, sums.to)}
          {own_days > 0 && (
            <span className="block text-muted">
              {t(
                "{days, plural, one {# more day} other {# more days}} skipped, because the site has its own data for them",
                { days: own_days },
              )}
            </span>
          )}
          {replaced_days > 0 && (
            <span className="block text-muted">
              {removable
                ? t("{days, plural, one {# day} other {# days}} of an earlier import replaced", { days: replaced_days })
                : t("{days, plural, one {# day} other {# days}} of imported totals give way to these events", {
                    days: replaced_days,
                  })}
            </span>
          )}
        </Fact>
        {!removable && <Fact name={t("Stored events")}>{formatExactly(sums.rows)}</Fact>}
        <Fact name={t("Visitors")}>{orUnknown(sums.visitors)}</Fact>
        <Fact name={t("Visits")}>{orUnknown(sums.visits)}</Fact>
        <Fact name={t("Pageviews")}>{orUnknown(sums.pageviews)}</Fact>
        <Fact name={t("Events")}>{orUnknown(sums.events)}</Fact>
        <Fact name={t("Broken down by")}>
          {dimensions.length === 0 ? t("Nothing: totals only") : dimensions.map(titleOf).join(", ")}
        </Fact>
        {notes.length > 0 && (
          <Fact name={removable ? t("Skipped") : t("Notes")}>
            <ul className="space-y-1 text-muted">
              {notes.map((note) => (
                <li key={note} className="[overflow-wrap:anywhere]">
                  {noteInWords(note)}
                </li>
              ))}
            </ul>
          </Fact>
        )}
      </Facts>
      <div className="flex flex-wrap gap-2">
        <Button onClick={onStart} disabled={busy}>
          {busy ? t("Starting…") : t("Import {days, plural, one {# day} other {# days}}", { days })}
        </Button>
        <Button look="quiet" onClick={onOthers}>
          {t("Choose other files")}
        </Button>
      </div>
    </div>
  );
}
