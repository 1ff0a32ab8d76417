"use server";

import { after } from "next/server";
import { addressOfBrowser } from "@/app/browser-address";
import { rememberBrowser } from "@/app/known-browser";
import { type FormProblems, problemsOf } from "@/components/ui/form-problems";
import { requestReset, resetPassword, sendReset } from "@/lib/account/reset";
import { describeError, log } from "@/lib/platform/log";

/** Sends a link to the address that was typed, if it has an account; the answer comes before that is known. */
export async function askForReset(typed: FormData): Promise<FormProblems | null> {
  const now = new Date();
  try {
    const email = await requestReset(typed.get("email"), await addressOfBrowser(), now);
    if (email) {
      after(() =>
        sendReset(email, now).catch((error) => log.error(describeError(error), "a reset letter was not written")),
      );
    }
    return null;
  } catch (error) {
    return problemsOf(error);
  }
}

/** Replaces a forgotten password by means of the link from the letter. */
export async function chooseNewPassword(token: string, typed: FormData): Promise<FormProblems | null> {
  const code = typed.get("code");
  const given = { password: typed.get("password"), ...(code === null ? {} : { code }) };
  try {
    await rememberBrowser(await resetPassword(token, given, await addressOfBrowser(), new Date()));
    return null;
  } catch (error) {
    return problemsOf(error);
  }
}
