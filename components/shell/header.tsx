import Link from "next/link";
import type { ReactNode } from "react";
import { ThemeToggle } from "@/components/shell/theme-toggle";
import { Wordmark } from "@/components/shell/wordmark";

interface Props {
  home: string;
  /** Show only the logo on phones. */
  narrow?: boolean;
  /** Content after the logo. */
  start?: ReactNode;
  /** Content at the right edge. */
  end?: ReactNode;
  /** The logo link loads a new document instead of a client route, because the target needs its own CSP headers. */
  leaves?: true;
}

/** The bar at the top of every page. */
export function Header({ home, narrow = false, start, end, leaves }: Props) {
  const name = { href: home, className: "mr-1 rounded-md", children: <Wordmark narrow={narrow} /> };
  return (
    <header className="print:hidden border-b border-line bg-surface">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-50 focus:rounded-lg focus:bg-accent focus:px-4 focus:py-2 focus:text-accent-ink"
      >
        Skip to content
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
