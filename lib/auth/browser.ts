/** Client-side sign-in and sign-out: each call fetches a CSRF token, then posts to a next-auth endpoint. */

export type SignInResult =
  | { ok: true }
  /** `needsCode`: the password is correct, and the two-factor code is missing or wrong. */
  | { ok: false; message: string; needsCode?: boolean };

/** Signs in with email, password and, with two-factor authentication, a code. On success the session cookie is set. */
export async function signInWithPassword(email: string, password: string, code = ""): Promise<SignInResult> {
  try {
    const response = await post("/api/auth/callback/credentials", { email, password, code });
    const { url } = await response.json();
    if (!url) return { ok: false, message: messageFor(response.status === 503 ? "unavailable" : "internal") };
    const outcome = new URL(url).searchParams;
    // `csrf`: the server's keys were rotated meanwhile. The next attempt gets a new token.
    const error = outcome.get("error") ?? (outcome.has("csrf") ? "csrf" : null);
    if (!error) return { ok: true };
    return { ok: false, message: messageFor(error), needsCode: error.startsWith("second_factor_") };
  } catch {
    return { ok: false, message: "The server could not be reached. Check your connection and try again." };
  }
}

/**
 * Signs out this browser and revokes its session on the server.
 *
 * @throws Error when that failed: the person is still signed in.
 */
export async function signOut(): Promise<void> {
  const response = await post("/api/auth/signout", {});
  const { url } = await response.json();
  // next-auth answers an invalid CSRF token with 200 and a URL that has a `csrf` parameter.
  if (!response.ok || !url || new URL(url).searchParams.has("csrf")) throw new Error("Signing out failed");
}

async function post(path: string, fields: Record<string, string>): Promise<Response> {
  const { csrfToken } = await (await fetch("/api/auth/csrf")).json();
  const body = new URLSearchParams({ ...fields, csrfToken, json: "true" });
  return fetch(path, { method: "POST", body });
}

function messageFor(error: string): string {
  const wait = /^too_many_tries:(\d+)$/.exec(error)?.[1];
  if (wait) return `Too many failed attempts. Try again in ${minutes(Number(wait))}.`;
  if (error === "second_factor_needed") return "Enter the current code from your app.";
  if (error === "second_factor_wrong") return "That is not the code your app shows now. Each code works only once.";
  if (error === "CredentialsSignin") return "Wrong email address or password.";
  if (error === "unavailable") return "Accounts are temporarily unavailable. Try again in a moment.";
  return "Sign-in failed. Try again in a moment.";
}

function minutes(seconds: number): string {
  const count = Math.max(1, Math.ceil(seconds / 60));
  return count === 1 ? "a minute" : `${count} minutes`;
}
