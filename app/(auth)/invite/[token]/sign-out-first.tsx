"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { signOut } from "@/lib/auth/browser";

/** The link was opened by someone signed in as another person than the one it is for. */
export function SignOutFirst({ invited, signedIn }: { invited: string; signedIn: string }) {
  const [failed, setFailed] = useState(false);

  async function leave() {
    try {
      await signOut();
      window.location.reload();
    } catch {
      setFailed(true);
    }
  }

  return (
    <div className="card space-y-4 p-5">
      <Notice tone="warn">
        <span className="break-words">
          This invitation is for {invited}; you are signed in as {signedIn}. Sign out and come back with that address.
        </span>
      </Notice>
      {failed && <Notice>Signing out failed: you are still signed in. Try again.</Notice>}
      <Button onClick={leave} className="w-full">
        Sign out
      </Button>
    </div>
  );
}
