import type { Metadata } from "next";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { DocsScript } from "@/components/docs/docs-script";
import { DocsNav } from "@/components/docs/nav";
import { Header } from "@/components/shell/header";
import { ButtonLink } from "@/components/ui/button";
import { currentOwner } from "@/lib/auth/session";

export const metadata: Metadata = { title: { default: "Docs", template: "%s · Footfall docs" } };

/** The documentation, which anyone may read. */
export default async function DocsLayout({ children }: { children: ReactNode }) {
  const owner = await currentOwner();
  return (
    <>
      <DocsScript nonce={(await headers()).get("x-nonce") ?? undefined} />
      <Header
        home="/"
        end={
          <ButtonLink href={owner ? "/sites" : "/login"} look="bare" size="small">
            {owner ? "Your sites" : "Sign in"}
          </ButtonLink>
        }
      />
      <div className="mx-auto grid max-w-[82rem] gap-x-12 gap-y-6 px-4 pt-6 pb-20 sm:px-6 lg:grid-cols-[11rem_minmax(0,1fr)] lg:pt-10">
        <DocsNav />
        <main id="content" className="min-w-0 lg:max-w-[56rem]">
          {children}
        </main>
      </div>
    </>
  );
}
