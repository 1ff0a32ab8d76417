import { env } from "@/lib/platform/env";

/** Whether cookies get the `Secure` attribute. */
export const cookiesAreSecure = (): boolean => env().BASE_URL.startsWith("https:");

/**
 * Returns the full name and shared attributes of a cookie. The `__Host-` prefix makes browsers bind it to this host,
 * path `/` and HTTPS.
 */
export function ownCookie(name: string) {
  const secure = cookiesAreSecure();
  return {
    name: `${secure ? "__Host-" : ""}footfall.${name}`,
    options: { httpOnly: true, sameSite: "lax", path: "/", secure } as const,
  };
}
