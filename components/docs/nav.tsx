"use client";

import { usePathname } from "next/navigation";

const PAGES = [
  ["/docs", "Overview"],
  ["/docs/tracker", "Tracker"],
  ["/docs/events-api", "Events API"],
  ["/docs/measurement-protocol", "Measurement Protocol"],
  ["/docs/own-domain", "Own domain"],
  ["/docs/proxies", "Proxies"],
  ["/docs/agents", "Agents"],
  ["/docs/identity", "Identity and OAuth"],
  ["/docs/metrics", "Metrics"],
  ["/docs/export", "Export and import"],
  ["/docs/webhooks", "Webhooks"],
  ["/docs/api", "API reference"],
] as const;

/** Navigation of the docs: a column at the side, rows on phones. */
export function DocsNav() {
  const here = usePathname();
  // Pages of operations belong to the API reference.
  const within = here.startsWith("/docs/api/") ? "/docs/api" : here;
  return (
    <nav aria-label="Documentation" className="-mx-2 lg:sticky lg:top-6 lg:self-start">
      <ul className="flex flex-wrap gap-0.5 lg:flex-col">
        {PAGES.map(([href, label]) => (
          <li key={href}>
            <a
              href={href}
              aria-current={href === within ? "page" : undefined}
              className="block rounded-md px-2 py-1.5 text-sm text-muted hover:bg-sunken hover:text-ink aria-[current]:font-semibold aria-[current]:text-accent"
            >
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
