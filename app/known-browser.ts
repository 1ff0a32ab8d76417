import { cookies } from "next/headers";
import { knownBrowserCookie } from "@/lib/auth/known-browser";

/** Remembers in a Server Action that the person of an address was here: wrong passwords elsewhere do not lock them out. */
export async function rememberBrowser(email: string): Promise<void> {
  const { name, value, options } = knownBrowserCookie(email);
  (await cookies()).set(name, value, options);
}
