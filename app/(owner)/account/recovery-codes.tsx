"use client";

import { useEffect, useRef } from "react";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { t } from "@/lib/texts/translate";

/** Shows new recovery codes. They are stored hashed, so this is the only time. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone(): void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const text = codes.join("\n");

  // The button that had focus is gone, so focus moves here.
  useEffect(() => heading.current?.focus(), []);

  return (
    <div className="space-y-4">
      <div className="text-sm">
        <h3 ref={heading} tabIndex={-1} className="font-medium outline-none">
          {t("Save these recovery codes")}
        </h3>
        <p className="text-muted">
          {t(
            "Each signs you in once without your phone. They are shown only this once: print them, or store them in your password manager.",
          )}
        </p>
      </div>
      <ul
        aria-label={t("Recovery codes")}
        className="grid grid-cols-2 gap-x-6 gap-y-1.5 rounded-lg bg-sunken px-4 py-3 font-mono text-sm tabular-nums sm:max-w-sm"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-2">
        <Button size="small" onClick={onDone}>
          {t("I have saved them")}
        </Button>
        <CopyButton text={text} what={t("the recovery codes")} />
        <a
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
          download="footfall-recovery-codes.txt"
          className="inline-flex h-8 items-center rounded-lg border border-line bg-surface px-3 text-sm font-medium hover:bg-sunken"
        >
          {t("Download")}
        </a>
      </div>
    </div>
  );
}
