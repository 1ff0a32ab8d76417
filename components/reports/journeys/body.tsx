import { LazySankeyChart } from "@/components/reports/journeys/lazy-parts";
import { type JourneyGroup, type JourneysAnswer, WHO } from "@/components/reports/journeys/sheets";
import { DataTable } from "@/components/reports/parts/data-table";
import { EmptyReport } from "@/components/reports/parts/empty-report";
import type { ReportProps } from "@/components/reports/sheet";
import { t } from "@/lib/texts/translate";

interface Props extends ReportProps<JourneysAnswer> {
  siteId: number;
  /** Whether the reader has no account, and may not choose another start. */
  isShared: boolean;
}

/** Report: the most frequent paths of visits. */
export function JourneysReport({ answer, sheets, siteId, isShared }: Props) {
  const { journeys, start, funnel, meta } = answer;
  const nothing = journeys.every(({ visits }) => visits === 0);
  return (
    <>
      {nothing ? (
        <EmptyReport
          title={start ? t("No visit reached {start} in this range", { start }) : t("No visits in this range")}
          docs={isShared ? null : { href: `/sites/${siteId}/install`, label: t("Check the installation") }}
        >
          {start || funnel
            ? t(
                "Paths appear automatically as visitors move from page to page. Choose another range above or another start.",
              )
            : t("Paths appear automatically as visitors move from page to page. Choose another range above.")}
        </EmptyReport>
      ) : (
        journeys.map((group) => <JourneysOfGroup key={group.who} {...{ group, sheets, meta, isShared }} />)
      )}
    </>
  );
}

interface GroupProps extends Pick<Props, "sheets" | "isShared"> {
  group: JourneyGroup;
  meta: JourneysAnswer["meta"];
}

function JourneysOfGroup({ group: { who, visits, flows }, sheets, meta, isShared }: GroupProps) {
  const [pathSheet, steps] = [sheets.get(`paths-${who}`), sheets.get(`steps-${who}`)];
  return (
    <section aria-label={t(WHO[who])} className="space-y-4">
      <div className="card min-w-0">
        <div className="px-4 pt-3.5 pb-1">
          <h2 className="text-[0.9375rem] font-semibold">{t(WHO[who])}</h2>
          <p className="text-sm text-muted tabular-nums">
            {t("{count, plural, one {# visit} other {# visits}}, all of them shown", { count: visits })}
          </p>
        </div>
        {visits > 0 && <LazySankeyChart flows={flows} name={t(WHO[who])} meta={meta} startsAnywhere={!isShared} />}
      </div>
      {pathSheet && (
        <DataTable
          sheet={pathSheet}
          about={isShared ? undefined : t("A path keeps only the visits with its last step.")}
        />
      )}
      {steps && (
        <DataTable sheet={steps} about={isShared ? undefined : t("A row keeps only the visits with its first step.")} />
      )}
    </section>
  );
}
