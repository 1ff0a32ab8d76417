import type { Guide } from "@/components/reports/guides";
import { CopyButton } from "@/components/ui/copy-button";
import { Tabs } from "@/components/ui/tabs";

/** How to install, one tab for each way a site may be built, with a button that copies. */
export function SnippetTabs({ guides }: { guides: Guide[] }) {
  return (
    <Tabs
      name="How your site is built"
      tabs={guides.map((guide) => ({ key: guide.key, label: guide.label, content: <Steps guide={guide} /> }))}
    />
  );
}

function Steps({ guide: { label, steps, paste, notes } }: { guide: Guide }) {
  return (
    <div className="mt-3">
      <ol className="mb-3 list-decimal space-y-1 pl-5 text-sm text-muted">
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <div className="rounded-lg border border-line bg-sunken">
        <pre className="px-3.5 py-3 font-mono text-[0.8125rem] leading-relaxed whitespace-pre-wrap [overflow-wrap:anywhere]">
          <code>{paste}</code>
        </pre>
        <div className="flex justify-end border-t border-line p-2">
          <CopyButton text={paste} what={`the ${label} snippet`} />
        </div>
      </div>
      <ul className="mt-3 space-y-1 text-xs text-muted">
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </div>
  );
}
