import type { PageSession, Proofs } from "@/components/actions/send";
import { codeKindOf } from "@/lib/auth/person-ways";
import { csrfToken } from "@/lib/auth/reauth";
import { waysToSignIn } from "@/lib/auth/ways";
import type { Owner } from "@/lib/contract/define";

/** Returns what `Actions` needs of the session of a page; null without one. */
export const pageSession = (owner: Owner | null): PageSession | null =>
  owner && { csrf: csrfToken(owner.sid), personId: owner.personId, proofs: proofsOf(owner) };

/** Returns what a person can prove themselves with in dialogs. */
export const proofsOf = ({ ways }: Owner): Proofs => ({
  password: ways.password,
  passkey: ways.passkey,
  provider: ways.provider ? waysToSignIn().provider : null,
  code: codeKindOf(ways),
});
