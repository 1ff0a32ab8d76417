"use client";

import { usePathname } from "next/navigation";
import type { Article } from "@/lib/publish/articles/article";

interface Props {
  /** The articles, in the order of the list. */
  articles: readonly Pick<Article, "slug" | "title">[];
}

/** Navigation of the docs: a column at the side, rows on phones. */
export function DocsNav({ articles }: Props) {
  const here = usePathname();
  // Pages of operations belong to the API reference.
  const within = here.startsWith("/docs/api/") ? "/docs/api" : here;
  const pages = [["/docs", "Overview"], ...articles.map(({ slug, title }) => [`/docs/${slug}`, title])];
  return (
    <nav aria-label="Documentation" className="-mx-2 lg:sticky lg:top-6 lg:self-start">
      <ul className="flex flex-wrap gap-0.5 lg:flex-col">
        {pages.map(([href, label]) => (
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
