import type { ChangeLine } from "@/lib/contract/define";

/** What a request would change, in one line for each changed setting. */
export const ChangeSummary = ({ lines }: { lines: ChangeLine[] }) => (
  <ul className="mt-1 space-y-0.5 text-sm" aria-label="What would change">
    {lines
      .filter(({ before, after }) => before !== after)
      .map(({ label, before, after }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: labels may repeat, and the lines never change order
        <li key={index} className="[overflow-wrap:anywhere]">
          {label}: <bdi className="text-muted">{before || "none"}</bdi> →{" "}
          <bdi className="font-medium">{after || "none"}</bdi>
        </li>
      ))}
  </ul>
);
