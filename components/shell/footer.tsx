import type { ReactNode } from "react";
import { msg, t } from "@/lib/texts/translate";

const LINKS = [
  ["/docs", msg("Documentation")],
  ["/docs/privacy", msg("Visitors’ privacy")],
  ["/llms.txt", "llms.txt"],
  ["/licence.txt", msg("MIT licence")],
] as const;

/**
 * Links at the end of a page. They load documents: the docs have headers of their own.
 *
 * @param props.choice that of a language, on pages that have more than one
 */
export const Footer = ({ choice }: { choice?: ReactNode }) => (
  <footer className="border-t border-line print:hidden">
    <nav
      aria-label={t("Footer")}
      className="mx-auto flex max-w-[82rem] flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-4 sm:px-6"
    >
      <ul className="-mx-2 flex flex-wrap items-center gap-x-2 text-sm text-muted">
        {LINKS.map(([href, label]) => (
          <li key={href}>
            <a href={href} className="block rounded-md px-2 py-1.5 hover:bg-sunken hover:text-ink">
              {t(label)}
            </a>
          </li>
        ))}
      </ul>
      {choice}
    </nav>
  </footer>
);
