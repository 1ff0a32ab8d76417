import { env } from "@/lib/platform/env";

/** Whether cookies get the `Secure` attribute. */
export const cookiesAreSecure = (): boolean => env().BASE_URL.startsWith("https:");

interface Cookie {
  name: string;
  value: string;
  options: { secure: boolean; path: string };
}

/** Returns a `Set-Cookie` header. @param maxAge in seconds */
export function cookieHeader({ name, value, options: { secure, path } }: Cookie, maxAge: number): string {
  return `${name}=${value}; Path=${path}; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
}

/** Returns the value of a cookie of a `Cookie` header; null without one. */
export function cookieIn(header: string | null | undefined, name: string): string | null {
  const pair = (header ?? "").split(/;\s*/).find((each) => each.startsWith(`${name}=`));
  return pair === undefined ? null : pair.slice(name.length + 1);
}

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
