import { type ErrorCode, Refusal } from "@/lib/platform/errors";

type Data = Record<string, unknown>;

/** Longest body (characters) for `keepalive`: browsers allow 64 KB, and a character takes up to three bytes. */
const MAX_KEEPALIVE_LENGTH = 20_000;

/** What sending needs of the page; tests pass their own. */
export interface Page {
  request(path: string, options: RequestInit): Promise<Response>;
}

const OPEN_PAGE: Page = {
  request: (path, options) => fetch(path, options),
};

/**
 * Returns a function that sends the actions of one page, with `keepalive`, so that they complete even if the person
 * leaves the page at once. If the CSRF token is outdated (the person signed in again in
 * another tab), it fetches a new one and retries once. If someone else is signed in by now, it throws instead.
 *
 * @param csrf the CSRF token of the page.
 * @param personId the signed-in person of the page.
 * @throws Refusal for every error of the server.
 */
export function sender(csrf: string, personId: number, page = OPEN_PAGE): (id: string, input: object) => Promise<Data> {
  let token = csrf;

  const request = async (path: string, options: RequestInit): Promise<Data> => {
    const response = await page.request(path, options);
    const answer = await response.json();
    if (response.ok) return answer.data;
    const { code, message, details } = answer.error;
    throw new Refusal(code as ErrorCode, message, details);
  };

  const send = (id: string, input: object): Promise<Data> => {
    const body = JSON.stringify(input);
    return request(`/actions/${id}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-csrf-token": token },
      body,
      keepalive: body.length < MAX_KEEPALIVE_LENGTH,
    });
  };

  return async (id, input) => {
    try {
      return await send(id, input);
    } catch (error) {
      if (!(error instanceof Refusal && error.code === "cross_site")) throw error;
    }
    const fresh = await request("/actions/csrf", { cache: "no-store" });
    if (fresh.person_id !== personId) {
      throw new Refusal(
        "cross_site",
        "Someone else signed in in this browser since this page was opened. Reload the page to continue as them.",
      );
    }
    token = `${fresh.csrf_token}`;
    return send(id, input);
  };
}
