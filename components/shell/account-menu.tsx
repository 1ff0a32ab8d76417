"use client";

import { Menu, menuItem } from "@/components/ui/menu";
import { signOut } from "@/lib/auth/browser";

/** Who is signed in, and the way out. */
export function AccountMenu({ email }: { email: string }) {
  async function leave() {
    await signOut();
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
            className="grid size-6 place-items-center rounded-full bg-accent-soft text-xs font-semibold text-accent uppercase sm:hidden"
          >
            {email[0]}
          </span>
        </>
      }
    >
      {() => (
        <>
          <p className="max-w-64 truncate px-2.5 py-1.5 text-sm text-muted">{email}</p>
          <button type="button" className={menuItem} onClick={leave}>
            Sign out
          </button>
        </>
      )}
    </Menu>
  );
}
