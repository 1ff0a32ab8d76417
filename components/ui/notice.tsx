import type { ReactNode } from "react";

const tones = {
  bad: "border-bad/30 bg-bad-soft text-bad",
  warn: "border-warn/30 bg-warn-soft text-warn",
  good: "border-good/30 bg-good-soft text-good",
};

/** A highlighted message; screen readers announce a "bad" one immediately. */
export function Notice({ tone = "bad", children }: { tone?: keyof typeof tones; children: ReactNode }) {
  return (
    <div
      role={tone === "bad" ? "alert" : "status"}
      className={`rounded-lg border px-3.5 py-2.5 text-sm ${tones[tone]}`}
    >
      {children}
    </div>
  );
}
