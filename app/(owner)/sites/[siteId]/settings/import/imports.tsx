"use client";

import { useState } from "react";
import { formatRange } from "@/components/ui/format";
import { RowButton } from "@/components/ui/row-button";
import { Rows } from "@/components/ui/rows";
import { Section } from "@/components/ui/section";
import { t } from "@/lib/texts/translate";
import { type Import, RemoveImport } from "./remove-import";
import { serviceTitle } from "./source-names";

/** What was imported, by service, each with a button to remove it. */
export function Imports({ siteId, domain, imports }: { siteId: number; domain: string; imports: Import[] }) {
  const [removing, setRemoving] = useState<Import | null>(null);
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
        <RemoveImport siteId={siteId} domain={domain} imported={removing} onClose={() => setRemoving(null)} />
      )}
    </Section>
  );
}
