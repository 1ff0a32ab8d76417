import Link from "next/link";
import type { ReactNode } from "react";
import { ThemeToggle } from "@/components/shell/theme-toggle";
import { Wordmark } from "@/components/shell/wordmark";

interface Props {
  home: string;
  /** On a phone only the mark of the name stays, to make room. */
  narrow?: boolean;
  /** Beside the name. */
  start?: ReactNode;
  /** At the far end. */
  end?: ReactNode;
  /** The name loads a document instead of a route, so that the response sets its own policy for scripts and frames. */
  leaves?: true;
}

/** The bar on top of every page. */
export function Header({ home, narrow = false, start, end, leaves }: Props) {
  const name = { href: home, className: "mr-1 rounded-md", children: <Wordmark narrow={narrow} /> };
  return (
    <header className="print:hidden border-b border-line bg-surface">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-50 focus:rounded-lg focus:bg-accent focus:px-4 focus:py-2 focus:text-accent-ink"
      >
        Skip to the content
      </a>
      <div className="mx-auto flex h-14 max-w-[82rem] items-center gap-1 px-4 sm:gap-2 sm:px-6">
        {leaves ? <a {...name} /> : <Link prefetch={false} {...name} />}
        {start}
        <div className="ml-auto flex items-center gap-1">
          {end}
          <ThemeToggle />
        </div>
      </div>
    </header>
  );
}
