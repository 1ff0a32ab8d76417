import { SankeyChart } from "@/components/reports/journeys/sankey-chart";
import { type JourneyGroup, type JourneysAnswer, WHO } from "@/components/reports/journeys/sheets";
import { DataTable } from "@/components/reports/parts/data-table";
import { EmptyReport } from "@/components/reports/parts/empty-report";
import type { ReportProps, Sheet } from "@/components/reports/sheet";
import { formatPlural } from "@/components/ui/format";
import { formatExactly } from "@/lib/contract/numbers";

interface Props extends ReportProps<JourneysAnswer> {
  siteId: number;
}

/** Report: the most frequent paths of visits. */
export function JourneysReport({ answer: { journeys, start, funnel }, sheets, siteId }: Props) {
  const nothing = journeys.every(({ visits }) => visits === 0);
  return (
    <>
      {nothing ? (
        <EmptyReport
          title={start ? `No visit reached ${start} in this range` : "No visits in this range"}
          docs={{ href: `/sites/${siteId}/install`, label: "Check the installation" }}
        >
          Paths appear automatically as visitors move from page to page. Choose another range above
          {start || funnel ? " or another start." : "."}
        </EmptyReport>
      ) : (
        journeys.map((group) => <Group key={group.who} group={group} sheets={sheets} />)
      )}
    </>
  );
}

function Group({ group: { who, visits, paths }, sheets }: { group: JourneyGroup; sheets: Map<string, Sheet> }) {
  const [pathSheet, steps] = [sheets.get(`paths-${who}`), sheets.get(`steps-${who}`)];
  const rare = paths.find((path) => path.steps[0]?.kind === "other")?.visits ?? 0;
  return (
    <section aria-label={WHO[who]} className="space-y-4">
      <div className="card min-w-0">
        <div className="px-4 pt-3.5 pb-2">
          <h2 className="text-[0.9375rem] font-semibold">{WHO[who]}</h2>
          <p className="text-sm text-muted tabular-nums">
            {formatPlural(visits, "visit")}
            {rare > 0 && `; ${formatExactly(rare)} of them took rare paths that are not shown`}
          </p>
        </div>
        {visits > 0 && <SankeyChart paths={paths} name={WHO[who]} />}
      </div>
      {pathSheet && <DataTable sheet={pathSheet} />}
      {steps && <DataTable sheet={steps} />}
    </section>
  );
}
