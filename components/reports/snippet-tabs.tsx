import { CodeBlock } from "@/components/docs/code";
import { OwnOrigin } from "@/components/docs/own-origin";
import type { Guide } from "@/components/reports/guides";
import { Tabs } from "@/components/ui/tabs";

/** Installation guides in tabs, one per framework, with a copy button. */
export function SnippetTabs({ guides }: { guides: Guide[] }) {
  return (
    <Tabs
      name="Framework"
      tabs={guides.map((guide) => ({ key: guide.key, label: guide.label, content: <GuideSteps guide={guide} /> }))}
    />
  );
}

function GuideSteps({ guide: { label, steps, paste, notes } }: { guide: Guide }) {
  return (
    <div className="mt-3">
      <ol className="mb-3 list-decimal space-y-1 pl-5 text-sm text-muted">
        {steps.map((step) => (
          <li key={step}>
            <OwnOrigin text={step} />
          </li>
        ))}
      </ol>
      <CodeBlock text={paste} what={`the ${label} snippet`} />
      <ul className="mt-3 space-y-1 text-xs text-muted">
        {notes.map((note) => (
          <li key={note}>
            <OwnOrigin text={note} />
          </li>
        ))}
      </ul>
    </div>
  );
}
