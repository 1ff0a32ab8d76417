"use server";

import { addressOfBrowser, isOnThisMachine } from "@/app/browser-address";
import { rememberBrowser } from "@/app/known-browser";
import { type FormProblems, problemsOf } from "@/components/ui/form-problems";
import { createFirstAccount } from "@/lib/auth/setup";
import { completeSignup, requestSignup } from "@/lib/auth/signup";

/** Creates the first account of the service. The browser signs in afterwards. */
export async function signUpFirst(formData: FormData): Promise<FormProblems | null> {
  const token = formData.get("token");
  const input = {
    email: formData.get("email"),
    password: formData.get("password"),
    ...(token === null ? {} : { token }),
  };
  try {
    await createFirstAccount(input, await isOnThisMachine(), new Date());
    return null;
  } catch (error) {
    return problemsOf(error, { fields: ["token", "email", "password"] });
  }
}

/** Emails the link that finishes a sign-up. The result is the same whether or not the address has an account. */
export async function requestLink(next: string, formData: FormData): Promise<FormProblems | null> {
  try {
    await requestSignup({ email: formData.get("email") }, next, await addressOfBrowser(), new Date());
    return null;
  } catch (error) {
    return problemsOf(error, { fields: ["email"] });
  }
}

/** Creates the account of an emailed sign-up link. @returns the path to open once the browser has signed in */
export async function finishSignup(
  token: string,
  formData: FormData,
): Promise<{ next: string } | { problems: FormProblems }> {
  try {
    const { email, next } = await completeSignup(token, { password: formData.get("password") }, new Date());
    await rememberBrowser(email);
    return { next };
  } catch (error) {
    return { problems: problemsOf(error, { fields: ["password"] }) };
  }
}
