"use server";

import { after } from "next/server";
import { addressOfBrowser } from "@/app/browser-address";
import { rememberBrowser } from "@/app/known-browser";
import { type FormProblems, problemsOf } from "@/components/ui/form-problems";
import { requestReset, resetPassword, sendReset } from "@/lib/account/reset";
import { describeError, log } from "@/lib/platform/log";

/** Emails a reset link if the address has an account. Responds before the lookup, so the timing reveals nothing. */
export async function requestResetLink(formData: FormData): Promise<FormProblems | null> {
  const now = new Date();
  try {
    const email = await requestReset(formData.get("email"), await addressOfBrowser(), now);
    if (email) {
      after(() =>
        sendReset(email, now).catch((error) =>
          log.error(describeError(error), "a password reset email could not be queued"),
        ),
      );
    }
    return null;
  } catch (error) {
    return problemsOf(error, { fields: ["email"] });
  }
}

/** Replaces a forgotten password, authorised by the token of the emailed link. */
export async function chooseNewPassword(token: string, formData: FormData): Promise<FormProblems | null> {
  const code = formData.get("code");
  const input = { password: formData.get("password"), ...(code === null ? {} : { code }) };
  try {
    await rememberBrowser(await resetPassword(token, input, await addressOfBrowser(), new Date()));
    return null;
  } catch (error) {
    return problemsOf(error, { fields: ["password", ...(code === null ? [] : ["code"])] });
  }
}
