import { Badge } from "@/components/ui/badge";
import type { Finding } from "@/lib/sites/check/findings";

const MARKS = {
  error: ["bad", "Error"],
  warning: ["warn", "Warning"],
  note: ["plain", "Note"],
  good: ["good", "Good"],
} as const;

/** Findings of an installation test with evidence and fix, most severe first. */
export function Findings({ findings }: { findings: Finding[] }) {
  if (findings.length === 0) return null;
  const order = Object.keys(MARKS);
  const sorted = [...findings].sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
  return (
    <ul className="divide-y divide-line border-y border-line" aria-label="Findings">
      {sorted.map(({ code, severity, message, evidence, fix }) => (
        <li key={code} className="grid gap-x-4 gap-y-1 py-3 text-sm sm:grid-cols-[5rem_minmax(0,1fr)]">
          <p>
            <Badge tone={MARKS[severity][0]}>{MARKS[severity][1]}</Badge>
          </p>
          <div className="min-w-0">
            <p className="font-medium">{message}</p>
            {evidence && (
              <p className="mt-1.5 rounded-md bg-sunken px-2.5 py-1.5 font-mono text-[0.8125rem] break-words whitespace-pre-wrap">
                {evidence}
              </p>
            )}
            {fix && <p className="mt-1.5 break-words text-muted">{fix}</p>}
          </div>
        </li>
      ))}
    </ul>
  );
}
