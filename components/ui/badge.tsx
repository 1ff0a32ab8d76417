import type { ReactNode } from "react";

const tones = {
  plain: "bg-sunken text-muted",
  accent: "bg-accent-soft text-accent",
  bad: "bg-bad-soft text-bad",
  warn: "bg-warn-soft text-warn",
  good: "bg-good-soft text-good",
};
export type Tone = keyof typeof tones;

/** A small label for a status. */
export const Badge = ({ tone = "plain", children }: { tone?: Tone; children: ReactNode }) => (
  <span
    className={`inline-flex shrink-0 items-center rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap ${tones[tone]}`}
  >
    {children}
  </span>
);
