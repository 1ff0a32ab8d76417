import type { PageSession } from "@/components/actions/send";
import { csrfToken } from "@/lib/auth/reauth";
import type { Owner } from "@/lib/contract/define";

/** Returns what `Actions` needs of the session of a page; null without one. */
export const pageSession = (owner: Owner | null): PageSession | null =>
  owner && { csrf: csrfToken(owner.sid), personId: owner.personId, secondFactor: owner.secondFactor };
