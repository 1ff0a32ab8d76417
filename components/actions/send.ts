import { type ErrorCode, Refusal } from "@/lib/platform/errors";

type Data = Record<string, unknown>;

/** Browsers send at most 64 KB for a page that is no longer there; a character takes up to three bytes. */
const OUTLIVES = 20_000;

/** @throws Refusal for every "no" of the server. */
async function dataOf(response: Response): Promise<Data> {
  const answer = await response.json();
  if (response.ok) return answer.data;
  const { code, message, details } = answer.error;
  // Leads to the page for signing in, and back here from there.
  if (code === "unauthenticated") window.location.reload();
  throw new Refusal(code as ErrorCode, message, details);
}

/** The request survives the page: a switch shows its new state at once, and its person may leave at once. */
const send = async (id: string, input: object, csrf: string): Promise<Data> => {
  const body = JSON.stringify(input);
  return dataOf(
    await fetch(`/actions/${id}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-csrf-token": csrf },
      body,
      keepalive: body.length < OUTLIVES,
    }),
  );
};

/**
 * Sends the actions of one page. A token that no longer counts, because the person signed out and in again in another tab,
 * is replaced once. It is not when someone else signed in: what this page shows is not theirs to do.
 *
 * @param csrf the token that the page was loaded with.
 * @param personId whose page it is.
 * @returns sends one action. @throws Refusal for every "no" of the server.
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
        "Someone else signed in in this browser since this page was opened. Reload the page to go on as them.",
      );
    }
    token = `${fresh.csrf_token}`;
    return send(id, input, token);
  };
}
