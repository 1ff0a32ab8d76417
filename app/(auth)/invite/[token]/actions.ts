"use server";

import { rememberBrowser } from "@/app/known-browser";
import { type FormProblems, problemsOf } from "@/components/ui/form-problems";
import { joinByInvitation } from "@/lib/account/join";
import { normaliseEmail } from "@/lib/auth/email";

/** Creates the invited person's account and adds it to the site. The browser signs in afterwards. */
export async function joinAsNew(token: string, formData: FormData): Promise<FormProblems | null> {
  const email = formData.get("email");
  try {
    await joinByInvitation(token, { email, password: formData.get("password") }, new Date());
    await rememberBrowser(normaliseEmail(`${email}`));
    return null;
  } catch (error) {
    return problemsOf(error, { fields: ["email", "password"] });
  }
}
