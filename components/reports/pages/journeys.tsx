import { DataTable } from "@/components/reports/pages/data-table";
import { EmptyReport } from "@/components/reports/pages/empty-report";
import { SankeyChart } from "@/components/reports/pages/sankey-chart";
import { type JourneysAnswer, type Ways, WHO } from "@/components/reports/pages/sheets/journeys";
import type { Sheet } from "@/components/reports/sheet";
import { formatExactly, formatPlural } from "@/components/ui/format";

interface Props {
  answer: JourneysAnswer;
  sheets: Map<string, Sheet>;
  siteId: number;
}

/** What visits saw one after another. */
export function JourneysReport({ answer: { journeys, start, funnel }, sheets, siteId }: Props) {
  const nothing = journeys.every(({ visits }) => visits === 0);
  return (
    <>
      {nothing ? (
        <EmptyReport
          title={start ? `No visit reached ${start} in this range` : "No visits in this range"}
          docs={{ href: `/sites/${siteId}/install`, label: "Is the site counted?" }}
        >
          Paths come about by themselves as people go from page to page. Choose other days above
          {start || funnel ? ", or another place to begin." : "."}
        </EmptyReport>
      ) : (
        journeys.map((ways) => <OneKind key={ways.who} ways={ways} sheets={sheets} />)
      )}
    </>
  );
}

function OneKind({ ways: { who, visits, paths }, sheets }: { ways: Ways; sheets: Map<string, Sheet> }) {
  const [told, steps] = [sheets.get(`paths-${who}`), sheets.get(`steps-${who}`)];
  const rare = paths.find((path) => path.steps[0]?.kind === "other")?.visits ?? 0;
  return (
    <section aria-label={WHO[who]} className="space-y-4">
      <div className="card min-w-0">
        <div className="px-4 pt-3.5 pb-2">
          <h2 className="text-[0.9375rem] font-semibold">{WHO[who]}</h2>
          <p className="text-sm text-muted tabular-nums">
            {formatPlural(visits, "visit")}
            {rare > 0 && `; ${formatExactly(rare)} of them took rarer ways that are not drawn`}
          </p>
        </div>
        {visits > 0 && <SankeyChart paths={paths} name={WHO[who]} />}
      </div>
      {told && <DataTable sheet={told} />}
      {steps && <DataTable sheet={steps} />}
    </section>
  );
}
