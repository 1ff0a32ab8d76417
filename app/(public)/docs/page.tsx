import type { Metadata } from "next";
import { DocsPage } from "@/components/docs/prose";

export const metadata: Metadata = { title: { absolute: "Footfall docs" } };

const STARTS = [
  [
    "/docs/tracker",
    "Count a site's visits",
    "One line in its pages. It counts views, how long they were read, and events of yours.",
  ],
  [
    "/docs/events-api",
    "Send events from a backend",
    "One POST for purchases, webhooks and whatever happens where no browser is.",
  ],
  [
    "/docs/measurement-protocol",
    "Send batches from servers",
    "A key, up to a hundred events at a time, and a result for each: pages, screens, purchases, experiments.",
  ],
  ["/docs/agents", "Let an agent do it", "A token, named operations, and a human who is asked before anything risky."],
  ["/docs/metrics", "What the numbers mean", "Each metric with its one definition."],
  ["/docs/api", "API reference", "Every operation with its parameters, an example and its errors."],
] as const;

export default function DocsHome() {
  return (
    <DocsPage title="Documentation" lead="From the first line in a page to an agent that looks after fifty sites.">
      <ul className="grid gap-4 sm:grid-cols-2">
        {STARTS.map(([href, title, about]) => (
          <li key={href}>
            <a href={href} className="card block h-full px-5 py-4 hover:border-line-strong">
              <h2 className="font-semibold text-accent">{title}</h2>
              <p className="mt-1 text-sm text-muted">{about}</p>
            </a>
          </li>
        ))}
      </ul>
      <p className="text-muted">
        For machines: <File href="/openapi.json">openapi.json</File>, an OpenAPI 3.1 document, and{" "}
        <File href="/llms.txt">llms.txt</File>, all of it in one text.
      </p>
    </DocsPage>
  );
}

const File = ({ href, children }: { href: string; children: string }) => (
  <a href={href} className="font-medium text-accent underline underline-offset-2">
    {children}
  </a>
);
