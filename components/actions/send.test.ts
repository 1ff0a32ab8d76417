import { expect, test } from "vitest";
import { type PageSession, sender } from "@/components/actions/send";

/** Sends actions of a page to a server whose session has changed since the page was opened. */

const ANN = 7;
const OPENED: PageSession = {
  csrf: "old",
  personId: ANN,
  proofs: { password: true, passkey: false, provider: null, code: null },
};

interface Session {
  /** The token that the server accepts; null when it accepts none. */
  token: string | null;
  personId: number;
}

/** A page of a server with this session. It notes the requested paths in order. */
function pageOf(session: Session | null, opened: PageSession | null = OPENED) {
  const requests: string[] = [];
  const answer = (status: number, body: object) => new Response(JSON.stringify(body), { status });
  const refuse = (status: number, code: string) => answer(status, { error: { code, message: `Refused: ${code}` } });
  const respond = async (path: string, { headers }: RequestInit) => {
    requests.push(path);
    if (!session) return refuse(401, "unauthenticated");
    if (path === "/actions/csrf") {
      return answer(200, { data: { csrf_token: session.token ?? "new", person_id: session.personId } });
    }
    return new Headers(headers).get("x-csrf-token") === session.token
      ? answer(200, { data: { done: true } })
      : refuse(403, "cross_site");
  };
  return { requests, send: sender(opened, respond) };
}

test("an action with an outdated token is retried once with a fresh one if the same person is signed in", async () => {
  const { requests, send } = pageOf({ token: "new", personId: ANN });
  expect(await send("sites.goals.save", {})).toEqual({ done: true });
  expect(requests).toEqual(["/actions/sites.goals.save", "/actions/csrf", "/actions/sites.goals.save"]);
  expect(await send("sites.goals.save", {})).toEqual({ done: true });
  expect(requests).toHaveLength(4);
});

test("an action is not sent as another person who signed in meanwhile; the error says to reload", async () => {
  const { requests, send } = pageOf({ token: "new", personId: ANN + 1 });
  await expect(send("account.delete", {})).rejects.toThrow(/Someone else signed in.*Reload the page/);
  expect(requests).toEqual(["/actions/account.delete", "/actions/csrf"]);
});

test("an action is retried only once", async () => {
  const { requests, send } = pageOf({ token: null, personId: ANN });
  await expect(send("sites.goals.save", {})).rejects.toThrow("Refused: cross_site");
  expect(requests).toEqual(["/actions/sites.goals.save", "/actions/csrf", "/actions/sites.goals.save"]);
});

test("an action on a signed-out page is refused and leaves the page as it is; once the person has signed in again, it is sent", async () => {
  const session: Session = { token: "new", personId: ANN };
  const signedOut = pageOf(null);
  await expect(signedOut.send("sites.goals.save", {})).rejects.toThrow("unauthenticated");
  expect(signedOut.requests).toEqual(["/actions/sites.goals.save"]);
  expect(await pageOf(session).send("sites.goals.save", {})).toEqual({ done: true });
});

test("an action of a page that was opened signed out is sent without a token, and not again as who signed in meanwhile", async () => {
  const { requests, send } = pageOf({ token: "new", personId: ANN }, null);
  await expect(send("reset.request", {})).rejects.toThrow("Refused: cross_site");
  expect(requests).toEqual(["/actions/reset.request"]);
});
