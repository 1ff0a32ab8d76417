"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { msg, t } from "@/lib/texts/translate";

export const PLACES = [
  { href: "/sites", label: msg("Sites") },
  { href: "/teams", label: msg("Teams") },
  { href: "/agents", label: msg("Agents") },
  { href: "/approvals", label: msg("Approvals") },
] as const;

/** The main navigation. On phones these links are in the account menu. */
export function OwnerNav({ waiting }: { waiting: number }) {
  const path = usePathname();
  return (
    <nav aria-label={t("Main")} className="flex items-center max-md:hidden">
      {PLACES.map(({ href, label }) => (
        <Link
          key={href}
          href={href}
          prefetch={false}
          aria-current={path === href || path.startsWith(`${href}/`) ? "page" : undefined}
          className="flex h-9 items-center gap-1.5 rounded-lg px-3 text-sm font-medium text-muted hover:bg-sunken hover:text-ink aria-[current=page]:bg-sunken aria-[current=page]:text-ink"
        >
          {t(label)}
          {href === "/approvals" && <PendingBadge count={waiting} />}
        </Link>
      ))}
    </nav>
  );
}

/** Badge with the number of pending approvals; renders nothing for 0. */
export const PendingBadge = ({ count }: { count: number }) =>
  count > 0 && (
    <span className="grid h-5 min-w-5 place-items-center rounded-full bg-accent px-1.5 text-xs font-semibold text-accent-ink tabular-nums">
      {count > 99 ? "99+" : count}
      <span className="sr-only"> {t("waiting")}</span>
    </span>
  );
