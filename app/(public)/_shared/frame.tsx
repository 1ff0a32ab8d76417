import type { ReactNode } from "react";
import { Header } from "@/components/shell/header";
import { PageLocale } from "@/components/ui/page-locale";
import { rich } from "@/components/ui/rich";
import { Toaster } from "@/components/ui/toaster";
import { currentLocale } from "@/lib/platform/locale";

interface Props {
  /** Whether the page is in a frame of another site. */
  embedded: boolean;
  /** Whether the page says that Footfall counted. */
  credit: boolean;
  children: ReactNode;
}

/** A page for readers without an account. */
export const SharedFrame = ({ embedded, credit, children }: Props) => (
  <PageLocale locale={currentLocale()}>
    <Toaster>
      {!embedded && credit && <Header home="/" leaves />}
      <main id="content" className="mx-auto w-full max-w-[82rem] px-4 pt-5 pb-10 sm:px-6">
        {children}
        {credit && (
          <p className="mt-6 text-center text-sm text-muted">
            {rich("Counted by <link>Footfall</link>, without cookies.", {
              link: (text) => (
                <a href="/" target={embedded ? "_blank" : undefined} className="underline">
                  {text}
                </a>
              ),
            })}
          </p>
        )}
      </main>
    </Toaster>
  </PageLocale>
);
