"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { PendingBadge } from "@/components/shell/pending-approvals";
import { msg, t } from "@/lib/texts/translate";

export const PLACES = [
  { href: "/sites", label: msg("Sites") },
  { href: "/teams", label: msg("Teams") },
  { href: "/agents", label: msg("Agents") },
  { href: "/approvals", label: msg("Approvals") },
] as const;

/** The main navigation. On phones these links are in the account menu. */
export function OwnerNav() {
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
          {href === "/approvals" && <PendingBadge />}
        </Link>
      ))}
    </nav>
  );
}
