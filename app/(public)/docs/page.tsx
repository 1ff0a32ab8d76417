import type { Metadata } from "next";
import { PLACEHOLDER_ORIGIN } from "@/components/docs/origin";
import { DocsPage } from "@/components/docs/prose";
import { articleGroups } from "@/lib/publish/articles/all";
import { cardOf } from "../card";

const LEAD = "What owners ask first, then how data gets in, then agents and the API.";

export const metadata: Metadata = cardOf({ absolute: "Footfall docs" }, LEAD);

/** Every article with its lead, by subject. */
export default function DocsHome() {
  return (
    <DocsPage title="Documentation" lead={LEAD}>
      {articleGroups(PLACEHOLDER_ORIGIN).map(({ title, articles }) => (
        <section key={title} aria-label={title}>
          <h2 className="mb-3 text-xl font-semibold">{title}</h2>
          <ul className="grid gap-4 sm:grid-cols-2">
            {articles.map(({ slug, title: name, lead }) => (
              <li key={slug}>
                <a href={`/docs/${slug}`} className="card block h-full px-5 py-4 hover:border-line-strong">
                  <h3 className="font-semibold text-accent">{name}</h3>
                  <p className="mt-1 text-sm text-muted">{lead.replaceAll("`", "")}</p>
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
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
