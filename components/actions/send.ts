import { type ErrorCode, Refusal } from "@/lib/platform/errors";

type Data = Record<string, unknown>;

/** Longest body (characters) for `keepalive`: browsers allow 64 KB, and a character takes up to three bytes. */
const MAX_KEEPALIVE_LENGTH = 20_000;

/** Returns the data of an answer. @throws Refusal for every error of the server */
async function dataOf(response: Response): Promise<Data> {
  const answer = await response.json();
  if (response.ok) return answer.data;
  const { code, message, details } = answer.error;
  // The reload redirects to the sign-in page and back here.
  if (code === "unauthenticated") window.location.reload();
  throw new Refusal(code as ErrorCode, message, details);
}

/** Sends one action with `keepalive`, so that it completes even if the person leaves the page at once. */
const send = async (id: string, input: object, csrf: string): Promise<Data> => {
  const body = JSON.stringify(input);
  return dataOf(
    await fetch(`/actions/${id}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-csrf-token": csrf },
      body,
      keepalive: body.length < MAX_KEEPALIVE_LENGTH,
    }),
  );
};

/**
 * Returns a function that sends the actions of one page. If the CSRF token is outdated (the person signed in again in
 * another tab), it fetches a new one and retries once. If someone else is signed in by now, it throws instead.
 *
 * @param csrf the CSRF token of the page.
 * @param personId the signed-in person of the page.
 * @throws Refusal for every error of the server.
 */
export function sender(csrf: string, personId: number): (id: string, input: object) => Promise<Data> {
  let token = csrf;
  return async (id, input) => {
    try {
      return await send(id, input, token);
    } catch (error) {
      if (!(error instanceof Refusal && error.code === "cross_site")) throw error;
    }
    const fresh = await dataOf(await fetch("/actions/csrf", { cache: "no-store" }));
    if (fresh.person_id !== personId) {
      throw new Refusal(
        "cross_site",
        "Someone else signed in in this browser since this page was opened. Reload the page to continue as them.",
      );
    }
    token = `${fresh.csrf_token}`;
    return send(id, input, token);
  };
}
