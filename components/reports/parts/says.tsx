import type { Report } from "@/components/reports/definition";

/** What a report says, above its numbers; nothing where it says nothing. */
export function Says({ report, answer }: { report: Report; answer: unknown }) {
  const text = report.says(answer);
  if (text === null) return null;
  return (
    <p className="max-w-[64rem] px-1 text-[0.9375rem] leading-relaxed text-balance [overflow-wrap:anywhere]" data-says>
      {text}
    </p>
  );
}
