import type { ReactNode } from "react";
import { Actions } from "@/components/actions/actions";
import { Footer } from "@/components/shell/footer";
import { Header } from "@/components/shell/header";
import { LanguageChoice } from "@/components/shell/language-choice";
import { NeedsJavascript } from "@/components/shell/needs-javascript";
import { PageLocale } from "@/components/ui/page-locale";
import { currentOwner } from "@/lib/auth/session";
import { currentLocale } from "@/lib/platform/locale";
import { pageSession } from "../page-session";

/** Rendered per request, because scripts of a prerendered page have no nonce. */
export const dynamic = "force-dynamic";

export default async function AuthLayout({ children }: { children: ReactNode }) {
  const session = pageSession(await currentOwner());
  return (
    <PageLocale locale={currentLocale()}>
      <Header home="/" />
      <main id="content" className="mx-auto w-full max-w-sm px-4 py-10 sm:py-20">
        <NeedsJavascript />
        <Actions session={session}>{children}</Actions>
      </main>
      <Footer choice={<LanguageChoice />} />
    </PageLocale>
  );
}
