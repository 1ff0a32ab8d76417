"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { useAction } from "@/components/actions/actions";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import { Select } from "@/components/ui/select";
import { KEPT_MONTHS } from "@/lib/sites/retention-text";
import { t } from "@/lib/texts/translate";

interface Props {
  site: { siteId: number; domain: string };
  /** Retention limit in months; null keeps data forever. */
  months: number | null;
  /** Only owners may change it. */
  mayChange: boolean;
}

/** Form for the retention limit. A shorter limit deletes data, so it asks for confirmation. */
export function RetentionForm({ site, months, mayChange }: Props) {
  const { perform, busy, problems } = useAction("sites.retention.update");
  const router = useRouter();
  const [shorter, setShorter] = useState<number>();
  const offered = [...new Set([...KEPT_MONTHS, months])].sort(longestFirst);

  async function save(chosen: number | null) {
    const done = await perform({ site_id: site.siteId, retention_months: chosen });
    if (!done) return;
    setShorter(undefined);
    router.refresh();
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const value = new FormData(event.currentTarget).get("retention_months");
    const chosen = value === "" ? null : Number(value);
    if (chosen !== null && chosen < (months ?? Number.POSITIVE_INFINITY)) setShorter(chosen);
    else save(chosen);
  }

  return (
    <Section
      title={t("Data retention")}
      about={t(
        "Older data is deleted day by day: events, visits, event ids, returning visitors, rollups and imported data, and values such as paths, titles and event names that no later day uses. Backups keep it until they are deleted.",
      )}
    >
      {mayChange ? (
        <form onSubmit={submit} className="space-y-4">
          {problems.message && shorter === undefined && <Notice>{problems.message}</Notice>}
          <div className="flex flex-wrap items-end gap-3">
            <div className="min-w-0 flex-1 basis-56 sm:max-w-72">
              <Select
                label={t("Keep data")}
                name="retention_months"
                choices={offered.map((one) => ({
                  value: `${one ?? ""}`,
                  label: choiceOf(one),
                }))}
                defaultValue={`${months ?? ""}`}
              />
            </div>
            <Button type="submit" disabled={busy}>
              {t("Save")}
            </Button>
          </div>
        </form>
      ) : (
        <p className="text-sm">
          {months === null
            ? t("Data is kept forever. Only owners can change this.")
            : t("Data is kept for {time}. Only owners can change this.", { time: lengthOf(months) })}
        </p>
      )}
      {shorter !== undefined && (
        <Confirm
          title={t("Delete data older than {time}?", { time: lengthOf(shorter) })}
          action={t("Delete")}
          busy={busy}
          problem={problems.message}
          onYes={() => save(shorter)}
          onCancel={() => setShorter(undefined)}
        >
          <p className="break-words">
            {t(
              "The older data of {domain} is permanently deleted, starting within ten minutes. Export it first if you may need it.",
              { domain: site.domain },
            )}
          </p>
        </Confirm>
      )}
    </Section>
  );
}

const lengthOf = (months: number): string =>
  months % 12 === 0
    ? t("{years, plural, one {# year} other {# years}}", { years: months / 12 })
    : t("{months, plural, one {# month} other {# months}}", { months });
const choiceOf = (months: number | null): string => (months === null ? t("Forever") : lengthOf(months));

const longestFirst = (a: number | null, b: number | null) =>
  (b ?? Number.POSITIVE_INFINITY) - (a ?? Number.POSITIVE_INFINITY) || 0;
