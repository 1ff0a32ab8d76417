/** What the sign-in form in the browser does: two calls to next-auth's own addresses. */

export type SignInResult =
  | { ok: true }
  /** `needsCode`: the password is right and the code of the second factor is asked for, or was wrong. */
  | { ok: false; message: string; needsCode?: boolean };

/** Signs in with e-mail, password and, where a second factor is set up, a code; on success the browser holds the cookie. */
export async function signInWithPassword(email: string, password: string, code = ""): Promise<SignInResult> {
  try {
    const response = await post("/api/auth/callback/credentials", { email, password, code });
    const { url } = await response.json();
    if (!url) return { ok: false, message: sentenceFor(response.status === 503 ? "unavailable" : "internal") };
    const outcome = new URL(url).searchParams;
    // After the server's keys were renewed in the middle of a sign-in, the next try has a token of the new ones.
    const error = outcome.get("error") ?? (outcome.has("csrf") ? "csrf" : null);
    if (!error) return { ok: true };
    return { ok: false, message: sentenceFor(error), needsCode: error.startsWith("second_factor_") };
  } catch {
    return { ok: false, message: "The server could not be reached. Check your connection and try again." };
  }
}

/**
 * Ends this browser's session; its row is revoked on the server.
 *
 * @throws Error when the server did not do it or could not be reached: the person is still signed in.
 */
export async function signOut(): Promise<void> {
  const response = await post("/api/auth/signout", {});
  const { url } = await response.json();
  // To a token that does not count next-auth answers 200 with an address that says so.
  if (!response.ok || !url || new URL(url).searchParams.has("csrf")) throw new Error("Signing out failed");
}

async function post(address: string, fields: Record<string, string>): Promise<Response> {
  const { csrfToken } = await (await fetch("/api/auth/csrf")).json();
  const body = new URLSearchParams({ ...fields, csrfToken, json: "true" });
  return fetch(address, { method: "POST", body });
}

function sentenceFor(error: string): string {
  const wait = /^too_many_tries:(\d+)$/.exec(error)?.[1];
  if (wait) return `Too many wrong tries. Try again in ${minutes(Number(wait))}.`;
  if (error === "second_factor_needed") return "Enter the code that your app shows now.";
  if (error === "second_factor_wrong") return "That is not the code your app shows now. Each code works only once.";
  if (error === "CredentialsSignin") return "That e-mail address and password do not belong together.";
  if (error === "unavailable") return "The server cannot look up accounts just now. Try again in a moment.";
  return "Signing in did not work. Try again in a moment.";
}

function minutes(seconds: number): string {
  const count = Math.max(1, Math.ceil(seconds / 60));
  return count === 1 ? "a minute" : `${count} minutes`;
}
