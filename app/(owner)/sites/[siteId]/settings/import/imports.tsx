"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { ConfirmAction } from "@/components/actions/confirm-action";
import type { ActionData } from "@/components/actions/typed";
import { formatRange } from "@/components/ui/format";
import { RowButton } from "@/components/ui/row-button";
import { Rows } from "@/components/ui/rows";
import { Section } from "@/components/ui/section";
import { t } from "@/lib/texts/translate";
import { serviceTitle } from "./source-names";

type Import = ActionData<"sites.imports.list">["imports"][number];

/** What was imported, by service, each with a button to remove it. */
export function Imports({ siteId, domain, imports }: { siteId: number; domain: string; imports: Import[] }) {
  const [removing, setRemoving] = useState<Import | null>(null);
  const router = useRouter();
  return (
    <Section title={t("Imported data")} about={t("Reports include it for the days before the site's first own event.")}>
      <Rows empty={t("Nothing was imported yet.")}>
        {imports.map((one) => (
          <li key={one.source} className="flex items-center justify-between gap-4 py-2.5">
            <div className="min-w-0 text-sm">
              <p className="font-medium">{serviceTitle(one.source)}</p>
              <p className="text-muted">
                {[
                  `${formatRange(one.from, one.to)}: ${t("{days, plural, one {# day} other {# days}}", { days: one.days })}`,
                  t("{visitors, plural, one {# visitor} other {# visitors}}", { visitors: one.visitors }),
                  ...(one.pageviews === null
                    ? []
                    : [t("{views, plural, one {# pageview} other {# pageviews}}", { views: one.pageviews })]),
                ].join(", ")}
              </p>
            </div>
            <RowButton
              action={t("Remove")}
              name={t("the data of {service}", { service: serviceTitle(one.source) })}
              onClick={() => setRemoving(one)}
            />
          </li>
        ))}
      </Rows>
      {removing && (
        <ConfirmAction
          operation="sites.imports.delete"
          input={{ site_id: siteId, source: removing.source }}
          title={t("Remove the data of {service}?", { service: serviceTitle(removing.source) })}
          action={t("Remove")}
          onDone={() => {
            setRemoving(null);
            router.refresh();
          }}
          onCancel={() => setRemoving(null)}
        >
          {t(
            "The totals of {days, plural, one {# day} other {# days}} disappear from the reports of {domain}. Its own events stay. You can import the files again.",
            { days: removing.days, domain },
          )}
        </ConfirmAction>
      )}
    </Section>
  );
}
