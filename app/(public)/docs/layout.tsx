import type { Metadata } from "next";
import type { ReactNode } from "react";
import { DocsNav } from "@/components/docs/nav";
import { PLACEHOLDER_ORIGIN } from "@/components/docs/origin";
import { Footer } from "@/components/shell/footer";
import { Header } from "@/components/shell/header";
import { buttonLook } from "@/components/ui/button";
import { articleGroups } from "@/lib/publish/articles/all";
import { CardImage } from "../card";

export const metadata: Metadata = { title: { default: "Docs", template: "%s · Footfall docs" } };

const groups = articleGroups(PLACEHOLDER_ORIGIN).map(({ title, articles }) => ({
  title,
  articles: articles.map(({ slug, title: name }) => ({ slug, title: name })),
}));

/** The public documentation. It is prerendered; links into the app load a new document with its own policy. */
export default function DocsLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <CardImage />
      <Header
        home="/"
        leaves
        end={
          <a href="/sites" className={buttonLook({ look: "bare", size: "small" })}>
            Your sites
          </a>
        }
      />
      <div className="mx-auto grid max-w-[82rem] gap-x-12 gap-y-6 px-4 pt-6 pb-20 sm:px-6 lg:grid-cols-[13rem_minmax(0,1fr)] lg:pt-10">
        <DocsNav groups={groups} />
        <main id="content" className="min-w-0 lg:max-w-[56rem]">
          {children}
        </main>
      </div>
      <Footer />
    </>
  );
}
