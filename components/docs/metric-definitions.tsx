import { Anchor, Term } from "@/components/docs/prose";
import { METRICS } from "@/lib/contract/vocabulary";

const UNITS = { count: "a count", ratio: "a ratio", fraction: "a fraction from 0 to 1", seconds: "seconds" };

/** Each metric under a heading, so that others can link to it. */
export const MetricDefinitions = () => (
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
);
