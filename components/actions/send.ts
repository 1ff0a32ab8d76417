import { type ErrorCode, Refusal } from "@/lib/platform/errors";
import { t } from "@/lib/texts/translate";

type Data = Record<string, unknown>;

/** Longest body (characters) for `keepalive`: browsers allow 64 KB, and a character takes up to three bytes. */
const MAX_KEEPALIVE_LENGTH = 20_000;

/** The session that a page was opened in. */
export interface PageSession {
  /** Its CSRF token. */
  csrf: string;
  /** The signed-in person. */
  personId: number;
  /** How the person can prove that it is them. */
  proofs: Proofs;
}

/** What a signed-in person can prove themselves with. */
export interface Proofs {
  password: boolean;
  passkey: boolean;
  /** The name of the provider; null if it cannot prove them. */
  provider: string | null;
  /** Whether password and provider need a code too: of an authenticator app, or only a recovery code. */
  code: "app" | "recovery" | null;
}

type Request = (path: string, options: RequestInit) => Promise<Response>;

/**
 * Returns a function that sends the actions of one page, or a part of a file to an address below them, with `keepalive`, so that they complete even if the person
 * leaves the page at once. If the CSRF token is outdated (the person signed in again in
 * another tab), it fetches a new one and retries once. If someone else is signed in by now, it throws instead.
 *
 * @param session null on a page that was opened without one: it has no token, so it does not retry.
 * @param send sends a request; tests pass their own.
 * @throws Refusal for every error of the server.
 */
export function sender(
  session: PageSession | null,
  send: Request = (path, options) => fetch(path, options),
): (id: string, input: object | Blob) => Promise<Data> {
  let token = session?.csrf;

  const request = async (path: string, options: RequestInit): Promise<Data> => {
    const response = await send(path, options);
    const answer = await response.json();
    if (response.ok) return answer.data;
    const { code, message, details } = answer.error;
    throw new Refusal(code as ErrorCode, message, details);
  };

  const act = (id: string, input: object | Blob): Promise<Data> => {
    const proof: Record<string, string> = token === undefined ? {} : { "x-csrf-token": token };
    if (input instanceof Blob) {
      const headers = { "content-type": "application/octet-stream", ...proof };
      return request(`/actions/${id}`, { method: "PUT", headers, body: input });
    }
    const body = JSON.stringify(input);
    const headers = { "content-type": "application/json", ...proof };
    const keepalive = body.length < MAX_KEEPALIVE_LENGTH;
    return request(`/actions/${id}`, { method: "POST", headers, body, keepalive });
  };

  return async (id, input) => {
    try {
      return await act(id, input);
    } catch (error) {
      if (!session || !(error instanceof Refusal && error.code === "cross_site")) throw error;
    }
    const fresh = await request("/actions/csrf", { cache: "no-store" });
    if (fresh.person_id !== session.personId) {
      throw new Refusal(
        "cross_site",
        t("Someone else signed in in this browser since this page was opened. Reload the page to continue as them."),
      );
    }
    token = `${fresh.csrf_token}`;
    return act(id, input);
  };
}
