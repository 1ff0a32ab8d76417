import { CopyButton } from "@/components/ui/copy-button";

/** A block of code, wrapped rather than scrolled sideways, with a button that copies it. */
export function Code({ text, what, copy = true }: { text: string; what: string; copy?: boolean }) {
  return (
    <div className="rounded-lg border border-line bg-sunken">
      <pre className="px-3.5 py-3 font-mono text-[0.8125rem] leading-relaxed whitespace-pre-wrap [overflow-wrap:anywhere]">
        <code>{text}</code>
      </pre>
      {copy && (
        <div className="flex justify-end border-t border-line p-2">
          <CopyButton text={text} what={what} />
        </div>
      )}
    </div>
  );
}
