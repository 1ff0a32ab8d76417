import type { Metadata } from "next";
import { DocsPage } from "@/components/docs/prose";

export const metadata: Metadata = { title: { absolute: "Footfall docs" } };

const STARTS = [
  ["/docs/tracker", "Count a site's visits", "One line in its pages counts views, reading time and custom events."],
  [
    "/docs/events-api",
    "Send events from a backend",
    "One POST for purchases, webhooks and everything else outside of browsers.",
  ],
  [
    "/docs/measurement-protocol",
    "Send batches from servers",
    "With a key, up to 100 events in one call, and a result for each: pages, screens, purchases, experiments.",
  ],
  ["/docs/agents", "Connect an agent", "A token, named operations, and approvals for risky changes."],
  ["/docs/metrics", "What the numbers mean", "Each metric with its definition."],
  ["/docs/api", "API reference", "Every operation with its parameters, an example and its errors."],
] as const;

export default function DocsHome() {
  return (
    <DocsPage title="Documentation" lead="From the first script tag to an agent that manages fifty sites.">
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
        For agents: <File href="/llms.txt">llms.txt</File>, an index of these pages as Markdown,{" "}
        <File href="/llms-full.txt">llms-full.txt</File>, what most agents need in one text, and{" "}
        <File href="/openapi.json">openapi.json</File>, an OpenAPI 3.1 document.
      </p>
    </DocsPage>
  );
}

const File = ({ href, children }: { href: string; children: string }) => (
  <a href={href} className="font-medium text-accent underline underline-offset-2">
    {children}
  </a>
);
