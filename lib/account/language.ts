import { lockSession } from "@/lib/auth/session-row";
import type { Owner } from "@/lib/contract/define";
import { db } from "@/lib/platform/db";
import type { Language } from "@/lib/texts/languages";

/** Stores the language that a person chose, for their emails and for browsers in which they sign in. */
export async function setLanguage(owner: Owner, language: Language, now: Date): Promise<void> {
  await db().$transaction(async (tx) => {
    await lockSession(tx, owner, now);
    await tx.person.update({ where: { id: owner.personId }, data: { language } });
  });
}
