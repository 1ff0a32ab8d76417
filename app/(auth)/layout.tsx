import type { ReactNode } from "react";
import { Header } from "@/components/shell/header";
import { NeedsJavascript } from "@/components/shell/needs-javascript";

/** Rendered per request, because scripts of a prerendered page have no nonce. */
export const dynamic = "force-dynamic";

export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <Header home="/" />
      <main id="content" className="mx-auto w-full max-w-sm px-4 py-10 sm:py-20">
        <NeedsJavascript />
        {children}
      </main>
    </>
  );
}
