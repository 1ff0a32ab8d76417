import type { ReactNode } from "react";

const tones = {
  bad: "border-bad/30 bg-bad-soft text-bad",
  warn: "border-warn/30 bg-warn-soft text-warn",
  good: "border-good/30 bg-good-soft text-good",
};

interface Props {
  tone?: keyof typeof tones;
  /** It stands on the page from the start, so screen readers do not announce it. */
  isPermanent?: boolean;
  children: ReactNode;
}

/** A highlighted message; screen readers announce a "bad" one immediately. */
export function Notice({ tone = "bad", isPermanent = false, children }: Props) {
  return (
    <div
      role={isPermanent ? "note" : tone === "bad" ? "alert" : "status"}
      className={`rounded-lg border px-3.5 py-2.5 text-sm ${tones[tone]}`}
    >
      {children}
    </div>
  );
}
