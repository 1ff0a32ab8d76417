import type { Metadata } from "next";
import { PLACEHOLDER_ORIGIN } from "@/components/docs/origin";
import { DocsPage } from "@/components/docs/prose";
import { LONGEST_QUERY, searchDocs } from "@/lib/publish/search/search";

export const metadata: Metadata = { title: "Search", robots: { index: false } };

/** Rendered per request: the results depend on the query. */
export const dynamic = "force-dynamic";

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** The search over the docs. It needs no script. */
export default async function SearchDocs({ searchParams }: Props) {
  const query = [(await searchParams).q].flat()[0]?.trim().slice(0, LONGEST_QUERY) ?? "";
  const found = searchDocs(query, PLACEHOLDER_ORIGIN);
  return (
    <DocsPage title="Search" lead={leadOf(query, found.length)}>
      {found.length > 0 && (
        <ol className="max-w-[42rem] divide-y divide-line">
          {found.map(({ href, title, section, excerpt }) => (
            <li key={href} className="py-3 first:pt-0">
              <a href={href} className="font-semibold text-accent underline-offset-2 hover:underline">
                {title}
                {section && <span className="font-normal"> · {section}</span>}
              </a>
              <p className="mt-0.5 text-sm text-muted [overflow-wrap:anywhere]">{excerpt}</p>
            </li>
          ))}
        </ol>
      )}
    </DocsPage>
  );
}

function leadOf(query: string, count: number): string {
  if (query === "") return "Enter a word in the search field, such as goal, banner or token.";
  if (count === 0) return `Nothing in the docs has “${query}”. Try fewer words.`;
  return `${count === 1 ? "1 place" : `${count} places`} for “${query}”.`;
}
