import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { getServerSession } from "next-auth";
import { pageToReturnTo } from "@/lib/auth/next-path";
import { authOptions } from "@/lib/auth/options";
import { ownerOfSession } from "@/lib/auth/session-row";
import type { Owner } from "@/lib/contract/define";
import { PAGE_ADDRESS } from "@/lib/platform/http/page-request";

/** Returns the signed-in person of this request, or null. Not cached, so that a revocation takes effect immediately. */
export async function currentOwner(): Promise<Owner | null> {
  const options = authOptions();
  const session = await getServerSession({
    ...options,
    // Adds the session's secret id on the server only; /api/auth/session never returns it.
    callbacks: { ...options.callbacks, session: ({ session, token }) => ({ ...session, sid: token.sid }) },
  });
  const sid = (session as { sid?: unknown } | null)?.sid;
  return typeof sid === "string" ? ownerOfSession(sid, new Date()) : null;
}

/** Redirects to the sign-in page, and from there back to this page with its query. */
export async function toSignIn(): Promise<never> {
  const next = pageToReturnTo((await headers()).get(PAGE_ADDRESS) ?? "/sites");
  redirect(`/login?next=${encodeURIComponent(next)}`);
}
