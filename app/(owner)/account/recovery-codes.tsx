"use client";

import { useEffect, useRef } from "react";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";

/** The codes, which nobody can show again. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone(): void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const text = codes.join("\n");

  // What was pressed is gone: whoever works with the keyboard goes on here.
  useEffect(() => heading.current?.focus(), []);

  return (
    <div className="space-y-4">
      <div className="text-sm">
        <h3 ref={heading} tabIndex={-1} className="font-medium outline-none">
          Keep these recovery codes
        </h3>
        <p className="text-muted">
          Each signs you in once when your phone is not at hand. They are shown only now: print them, or put them where
          you keep passwords.
        </p>
      </div>
      <ul
        aria-label="Recovery codes"
        className="grid grid-cols-2 gap-x-6 gap-y-1.5 rounded-lg bg-sunken px-4 py-3 font-mono text-sm tabular-nums sm:max-w-sm"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-2">
        <Button size="small" onClick={onDone}>
          I have kept them
        </Button>
        <CopyButton text={text} what="the recovery codes" />
        <a
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
          download="footfall-recovery-codes.txt"
          className="inline-flex h-8 items-center rounded-lg border border-line bg-surface px-3 text-sm font-medium hover:bg-sunken"
        >
          Download
        </a>
      </div>
    </div>
  );
}
