import type { Snippet } from "@/components/reports/snippets";
import { CopyButton } from "@/components/ui/copy-button";
import { Tabs } from "@/components/ui/tabs";

/** The snippets, one tab each, with a button that copies. */
export function SnippetTabs({ snippets }: { snippets: Snippet[] }) {
  return (
    <Tabs
      name="How your site is built"
      tabs={snippets.map(({ key, label, where, code }) => ({
        key,
        label,
        content: (
          <div className="mt-3">
            <p className="mb-2 text-sm text-muted">{where}</p>
            <div className="rounded-lg border border-line bg-sunken">
              <pre className="px-3.5 py-3 font-mono text-[0.8125rem] leading-relaxed whitespace-pre-wrap [overflow-wrap:anywhere]">
                <code>{code}</code>
              </pre>
              <div className="flex justify-end border-t border-line p-2">
                <CopyButton text={code} what={`the ${label} snippet`} />
              </div>
            </div>
          </div>
        ),
      }))}
    />
  );
}
