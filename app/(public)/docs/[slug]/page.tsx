import type { Metadata } from "next";
import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { DocsArticle } from "@/components/docs/article";
import { PLACEHOLDER_ORIGIN } from "@/components/docs/origin";
import { Anchor, Term } from "@/components/docs/prose";
import { SentFields } from "@/components/docs/sent-fields";
import { SnippetTabs } from "@/components/reports/snippet-tabs";
import { METRICS } from "@/lib/contract/vocabulary";
import { allArticles } from "@/lib/publish/articles/all";
import { cardOf } from "../../card";

const UNITS = { count: "a count", ratio: "a ratio", fraction: "a fraction from 0 to 1", seconds: "seconds" };

/** Each metric under a heading, so that others can link to it. */
const MetricDefinitions = () => (
  <div className="space-y-6">
    {Object.entries(METRICS).map(([key, { label, unit, about }]) => (
      <section key={key} className="max-w-[42rem]">
        <Anchor id={key} look="text-lg">
          {label}
        </Anchor>
        <p className="mt-1">{about}</p>
        <p className="mt-1 text-sm text-muted">
          <Term>{key}</Term>, {UNITS[unit]}
        </p>
      </section>
    ))}
  </div>
);

/** Components for the blocks that pages show in their own way. */
const SLOTS: Readonly<Record<string, ReactNode>> = {
  metrics: <MetricDefinitions />,
  sent: <SentFields />,
  snippets: <SnippetTabs site={{ baseUrl: PLACEHOLDER_ORIGIN, domain: "example.com", name: "example.com" }} />,
};

interface Props {
  params: Promise<{ slug: string }>;
}

// The reference of operations has a page of its own.
const articles = allArticles(PLACEHOLDER_ORIGIN).filter(({ slug }) => slug !== "api");

export const dynamicParams = false;
export const generateStaticParams = () => articles.map(({ slug }) => ({ slug }));

const articleAt = async ({ params }: Props) => {
  const { slug } = await params;
  return articles.find((article) => article.slug === slug) ?? notFound();
};

export const generateMetadata = async (props: Props): Promise<Metadata> => {
  const { title, lead } = await articleAt(props);
  return cardOf(title, lead);
};

export default async function Docs(props: Props) {
  return <DocsArticle article={await articleAt(props)} slots={SLOTS} />;
}
