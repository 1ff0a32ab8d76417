import { redirect } from "next/navigation";
import { getServerSession } from "next-auth";
import { authOptions } from "@/lib/auth/options";
import { ownerOfSession } from "@/lib/auth/session-row";
import type { Owner } from "@/lib/contract/define";

/** Who is signed in on this request, or null. Asked anew each time: a revoked session is nobody at once. */
export async function currentOwner(): Promise<Owner | null> {
  const options = authOptions();
  const session = await getServerSession({
    ...options,
    // Only here, on the server, does the session carry its secret name; /api/auth/session never shows it.
    callbacks: { ...options.callbacks, session: ({ session, token }) => ({ ...session, sid: token.sid }) },
  });
  const sid = (session as { sid?: unknown } | null)?.sid;
  return typeof sid === "string" ? ownerOfSession(sid, new Date()) : null;
}

/** Who is signed in; anyone else is sent to the door and brought back to `next` afterwards. */
export async function requireOwner(next = "/sites"): Promise<Owner> {
  const owner = await currentOwner();
  if (!owner) redirect(`/login?next=${encodeURIComponent(next)}`);
  return owner;
}
