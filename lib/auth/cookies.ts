import { env } from "@/lib/platform/env";

/** Whether cookies may only travel over https. */
export const cookiesAreSecure = (): boolean => env().BASE_URL.startsWith("https:");

/**
 * A cookie of this service: its name and the attributes all of them share. `__Host-` makes the browser itself hold the
 * cookie to this host, this path and https.
 */
export function ownCookie(name: string) {
  const secure = cookiesAreSecure();
  return {
    name: `${secure ? "__Host-" : ""}footfall.${name}`,
    options: { httpOnly: true, sameSite: "lax", path: "/", secure } as const,
  };
}
