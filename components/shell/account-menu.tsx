"use client";

import Link from "next/link";
import { PLACES, Waiting } from "@/components/shell/owner-nav";
import { Menu, MenuEnd, MenuItem } from "@/components/ui/menu";
import { useToast } from "@/components/ui/toaster";
import { signOut } from "@/lib/auth/browser";

interface Props {
  email: string;
  /** How many approvals wait. */
  waiting: number;
  /** Whether theirs is the first account. */
  runsService: boolean;
}

/** Who is signed in, where else to go, and the way out. */
export function AccountMenu({ email, waiting, runsService }: Props) {
  const say = useToast();

  async function leave() {
    try {
      await signOut();
    } catch {
      const action = { label: "Try again", act: leave };
      return say({ text: "Signing out failed: you are still signed in.", bad: true, stays: true, action });
    }
    // A whole page load: nothing of the account's stays in this tab's memory.
    window.location.assign("/");
  }

  return (
    <Menu
      name="Account"
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
            {waiting > 0 && <span className="absolute top-0 right-0 size-2 rounded-full bg-accent" />}
          </span>
        </>
      }
    >
      <p className="max-w-64 truncate px-2.5 py-1.5 text-sm text-muted">{email}</p>
      {PLACES.map(({ href, label }) => (
        <MenuItem key={href} className={href === "/sites" ? "md:hidden" : ""}>
          <Link href={href} prefetch={false}>
            {label}
            {href === "/approvals" && <Waiting count={waiting} />}
          </Link>
        </MenuItem>
      ))}
      <MenuItem>
        <Link href="/account" prefetch={false}>
          Account
        </Link>
      </MenuItem>
      {runsService && (
        <MenuItem>
          <Link href="/admin" prefetch={false}>
            Admin
          </Link>
        </MenuItem>
      )}
      <MenuEnd>
        <MenuItem>
          <button type="button" onClick={leave}>
            Sign out
          </button>
        </MenuItem>
      </MenuEnd>
    </Menu>
  );
}
