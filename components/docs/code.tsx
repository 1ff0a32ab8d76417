"use client";

import { useOwnOrigin } from "@/components/docs/own-origin";
import { CopyButton } from "@/components/ui/copy-button";

interface Props {
  text: string;
  /** What is copied, for screen readers. */
  what: string;
  copy?: boolean;
}

/** A block of code with a copy button. Long lines wrap. */
export function CodeBlock({ text, what, copy = true }: Props) {
  const shown = useOwnOrigin(text);
  return (
    <div className="rounded-lg border border-line bg-sunken">
      <pre className="px-3.5 py-3 font-mono text-[0.8125rem] leading-relaxed whitespace-pre-wrap [overflow-wrap:anywhere]">
        <code>{shown}</code>
      </pre>
      {copy && (
        <div className="flex justify-end border-t border-line p-2">
          <CopyButton text={shown} what={what} />
        </div>
      )}
    </div>
  );
}
