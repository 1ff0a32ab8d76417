"use client";

import Link from "next/link";
import { LanguageItems } from "@/components/shell/owner-language";
import { PLACES } from "@/components/shell/owner-nav";
import { PendingBadge, usePending } from "@/components/shell/pending-approvals";
import { Menu, MenuEnd, MenuItem } from "@/components/ui/menu";
import { useToast } from "@/components/ui/toaster";
import { signOut } from "@/lib/auth/sign-out";
import { t } from "@/lib/texts/translate";

interface Props {
  email: string;
  /** Whether they administer the service: shows the admin link. */
  runsService: boolean;
}

/** The signed-in user's email with links to the main pages and the sign-out button. */
export function AccountMenu({ email, runsService }: Props) {
  const showToast = useToast();
  const pending = usePending();

  async function signOutAndLeave() {
    try {
      await signOut();
    } catch {
      const action = { label: t("Try again"), act: signOutAndLeave };
      return showToast({
        text: t("Signing out failed: you are still signed in."),
        bad: true,
        persistent: true,
        action,
      });
    }
    // A full page load clears the account's data from this tab's memory.
    window.location.assign("/");
  }

  return (
    <Menu
      name={t("Account")}
      align="end"
      look="bare"
      label={
        <>
          <span className="hidden max-w-48 truncate sm:block">{email}</span>
          <span
            aria-hidden="true"
            className="relative grid size-6 place-items-center rounded-full bg-accent-soft text-xs font-semibold text-accent uppercase sm:hidden"
          >
            {email[0]}
            {pending > 0 && <span className="absolute top-0 right-0 size-2 rounded-full bg-accent" />}
          </span>
        </>
      }
    >
      <p className="max-w-64 truncate px-2.5 py-1.5 text-sm text-muted">{email}</p>
      {PLACES.map(({ href, label }) => (
        <MenuItem key={href} className={href === "/sites" ? "md:hidden" : ""}>
          <Link href={href} prefetch={false}>
            {t(label)}
            {href === "/approvals" && <PendingBadge />}
          </Link>
        </MenuItem>
      ))}
      <MenuItem>
        <Link href="/account" prefetch={false}>
          {t("Account")}
        </Link>
      </MenuItem>
      {runsService && (
        <MenuItem>
          <Link href="/admin" prefetch={false}>
            {t("Admin")}
          </Link>
        </MenuItem>
      )}
      <MenuItem>
        <a href="/docs">{t("Docs")}</a>
      </MenuItem>
      <MenuEnd>
        <LanguageItems />
      </MenuEnd>
      <MenuEnd>
        <MenuItem>
          <button type="button" onClick={signOutAndLeave}>
            {t("Sign out")}
          </button>
        </MenuItem>
      </MenuEnd>
    </Menu>
  );
}
