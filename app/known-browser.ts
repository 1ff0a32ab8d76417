import { cookies } from "next/headers";
import { knownBrowserCookie } from "@/lib/auth/known-browser";

/** Marks this browser as known for an account, so that failed sign-ins elsewhere do not lock it out. */
export async function rememberBrowser(email: string): Promise<void> {
  const { name, value, options } = knownBrowserCookie(email);
  (await cookies()).set(name, value, options);
}
