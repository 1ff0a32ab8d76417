"use server";

import { addressOfBrowser, isOnThisMachine } from "@/app/browser-address";
import { rememberBrowser } from "@/app/known-browser";
import { type FormProblems, problemsOf } from "@/components/ui/form-problems";
import { createFirstAccount } from "@/lib/auth/setup";
import { completeSignup, requestSignup } from "@/lib/auth/signup";

/** Makes the first account of the service; the browser then signs in with what was typed. */
export async function signUpFirst(typed: FormData): Promise<FormProblems | null> {
  const token = typed.get("token");
  const given = { email: typed.get("email"), password: typed.get("password"), ...(token === null ? {} : { token }) };
  try {
    await createFirstAccount(given, await isOnThisMachine(), new Date());
    return null;
  } catch (error) {
    return problemsOf(error);
  }
}

/** Sends the link that finishes a sign-up, whether or not the address has an account. */
export async function requestLink(next: string, typed: FormData): Promise<FormProblems | null> {
  try {
    await requestSignup({ email: typed.get("email") }, next, await addressOfBrowser(), new Date());
    return null;
  } catch (error) {
    return problemsOf(error);
  }
}

/** Makes the account of a link that was emailed. @returns where to go once the browser has signed in */
export async function finishSignup(
  token: string,
  typed: FormData,
): Promise<{ next: string } | { problems: FormProblems }> {
  try {
    const { email, next } = await completeSignup(token, { password: typed.get("password") }, new Date());
    await rememberBrowser(email);
    return { next };
  } catch (error) {
    return { problems: problemsOf(error) };
  }
}
