import type { Metadata } from "next";
import { Glossary } from "@/components/docs/parameters";
import { Anchor, DocsPage, Part, Term } from "@/components/docs/prose";
import { METRICS, TRAFFIC } from "@/lib/contract/vocabulary";

export const metadata: Metadata = { title: "Metrics" };

const UNITS = { count: "a count", ratio: "a ratio", fraction: "a fraction from 0 to 1", seconds: "seconds" };

export default function MetricsDocs() {
  return (
    <DocsPage
      title="Metrics"
      lead="The dashboard and the API give the same numbers, and each has one definition. Unknown is null, never zero."
    >
      <div className="space-y-6">
        {Object.entries(METRICS).map(([key, { label, unit, about }]) => (
          <section key={key} className="max-w-[42rem]">
            <Anchor id={key} look="text-lg">
              {label}
            </Anchor>
            <p className="mt-1">{about}</p>
            <p className="mt-1 text-sm text-muted">
              <Term>{key}</Term>, {UNITS[unit]}
            </p>
          </section>
        ))}
      </div>
      <Part id="traffic" title="Traffic">
        <p>
          Nothing is thrown away: each event is kept with its class, and <Term>traffic</Term> chooses which are counted.
        </p>
        <Glossary rows={Object.entries(TRAFFIC)} />
      </Part>
    </DocsPage>
  );
}
