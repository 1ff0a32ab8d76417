"use client";

import { usePathname } from "next/navigation";
import type { Article } from "@/lib/publish/articles/article";

interface Props {
  /** The articles by subject, in the order of the list. */
  groups: readonly { title: string; articles: readonly Pick<Article, "slug" | "title">[] }[];
}

/** Navigation of the docs with the search: a column at the side, folded on phones. */
export function DocsNav({ groups }: Props) {
  const here = usePathname();
  // Pages of operations belong to the API reference.
  const within = here.startsWith("/docs/api/") ? "/docs/api" : here;
  const lists = (
    <>
      <NavLink href="/docs" label="Overview" within={within} />
      {groups.map(({ title, articles }) => (
        <div key={title}>
          <p className="px-2 pt-3 pb-1 text-xs font-semibold text-muted">{title}</p>
          <ul>
            {articles.map(({ slug, title: label }) => (
              <li key={slug}>
                <NavLink href={`/docs/${slug}`} label={label} within={within} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </>
  );
  return (
    <div className="lg:sticky lg:top-6 lg:max-h-[calc(100dvh-3rem)] lg:self-start lg:overflow-y-auto">
      <search>
        <form action="/docs/search">
          <label htmlFor="docs-search" className="sr-only">
            Search the docs
          </label>
          <input
            id="docs-search"
            type="search"
            name="q"
            maxLength={100}
            placeholder="Search the docs"
            autoComplete="off"
            className="h-9 w-full rounded-lg border border-line-strong bg-surface px-3 text-sm text-ink placeholder:text-muted"
          />
        </form>
      </search>
      <nav aria-label="Documentation" className="-mx-2 mt-2 max-lg:hidden">
        {lists}
      </nav>
      <details className="mt-2 lg:hidden">
        <summary className="cursor-pointer rounded-md py-1.5 text-sm font-medium text-accent">All articles</summary>
        <nav aria-label="Documentation" className="-mx-2 columns-2">
          {lists}
        </nav>
      </details>
    </div>
  );
}

function NavLink({ href, label, within }: { href: string; label: string; within: string }) {
  return (
    <a
      href={href}
      aria-current={href === within ? "page" : undefined}
      className="block rounded-md px-2 py-1 text-sm text-muted hover:bg-sunken hover:text-ink aria-[current]:font-semibold aria-[current]:text-accent"
    >
      {label}
    </a>
  );
}
