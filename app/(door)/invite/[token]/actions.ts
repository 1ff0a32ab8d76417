"use server";

import { addressOfBrowser } from "@/app/browser-address";
import { type FormProblems, problemsOf } from "@/components/ui/form-problems";
import { createPerson } from "@/lib/auth/signup";

/** Makes the invited person's account and joins the site in one; the browser then signs in with what was typed. */
export async function joinAsNew(token: string, typed: FormData): Promise<FormProblems | null> {
  const address = await addressOfBrowser();
  try {
    await createPerson({ email: typed.get("email"), password: typed.get("password") }, address, new Date(), token);
    return null;
  } catch (error) {
    return problemsOf(error);
  }
}
