/**
 * Signs out this browser and revokes its session on the server.
 *
 * @throws Error when that failed: the person is still signed in.
 */
export async function signOut(): Promise<void> {
  const response = await postToAuth("/api/auth/signout", {});
  const { url } = await response.json();
  // next-auth answers an invalid CSRF token with 200 and a URL that has a `csrf` parameter.
  if (!response.ok || !url || new URL(url).searchParams.has("csrf")) throw new Error("Signing out failed");
}

/** Posts to an endpoint of next-auth, with a CSRF token. */
export async function postToAuth(path: string, fields: Record<string, string>): Promise<Response> {
  const { csrfToken } = await (await fetch("/api/auth/csrf")).json();
  const body = new URLSearchParams({ ...fields, csrfToken, json: "true" });
  return fetch(path, { method: "POST", body });
}
