import Link from "next/link";
import type { ReactNode } from "react";
import { ThemeToggle } from "@/components/shell/theme-toggle";
import { t } from "@/lib/texts/translate";

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
        {t("Skip to content")}
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

/** The logo (two footprints) and the name. */
function Wordmark({ narrow }: { narrow: boolean }) {
  return (
    <span className="flex items-center gap-2 font-semibold tracking-tight">
      <svg viewBox="0 0 32 32" className="size-6 shrink-0" aria-hidden="true">
        <rect width="32" height="32" rx="8" className="fill-accent" />
        <g className="fill-accent-ink">
          <ellipse cx="11.2" cy="18.6" rx="3.5" ry="5.6" transform="rotate(-9 11.2 18.6)" />
          <circle cx="11.9" cy="26.2" r="2" />
          <ellipse cx="20.6" cy="10.6" rx="3.5" ry="5.6" transform="rotate(9 20.6 10.6)" />
          <circle cx="19.7" cy="18.4" r="2" />
        </g>
      </svg>
      <span className={narrow ? "max-sm:sr-only" : ""}>Footfall</span>
    </span>
  );
}
