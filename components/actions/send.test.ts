import { test as concurrent, expect, vi } from "vitest";
import { sender } from "@/components/actions/send";

/** Sends actions of a page to a server whose session has changed since the page was opened. */
const test = concurrent.sequential;

const ANN = 7;

/** Stubs a server that accepts one token. @returns the requested paths, in order */
function serve(session: { token: string; personId: number } | null): string[] {
  const requests: string[] = [];
  const answer = (status: number, body: object) => new Response(JSON.stringify(body), { status });
  const refuse = (status: number, code: string) => answer(status, { error: { code, message: `Refused: ${code}` } });
  vi.stubGlobal("fetch", async (path: string, { headers }: { headers?: Record<string, string> } = {}) => {
    requests.push(path);
    if (!session) return refuse(401, "unauthenticated");
    if (path === "/actions/csrf")
      return answer(200, { data: { csrf_token: session.token, person_id: session.personId } });
    return headers?.["x-csrf-token"] === session.token
      ? answer(200, { data: { done: true } })
      : refuse(403, "cross_site");
  });
  return requests;
}

test("an action with an outdated token is retried once with a fresh one if the same person is signed in", async () => {
  const requests = serve({ token: "new", personId: ANN });
  const send = sender("old", ANN);
  expect(await send("sites.goals.save", {})).toEqual({ done: true });
  expect(requests).toEqual(["/actions/sites.goals.save", "/actions/csrf", "/actions/sites.goals.save"]);
  expect(await send("sites.goals.save", {})).toEqual({ done: true });
  expect(requests).toHaveLength(4);
});

test("an action is not sent as another person who signed in meanwhile; the error says to reload", async () => {
  const requests = serve({ token: "new", personId: ANN + 1 });
  await expect(sender("old", ANN)("account.delete", {})).rejects.toThrow(/Someone else signed in.*Reload the page/);
  expect(requests).toEqual(["/actions/account.delete", "/actions/csrf"]);
});

test("an action is retried only once", async () => {
  const requests = serve({ token: "new", personId: ANN });
  vi.stubGlobal("fetch", async (path: string) => {
    requests.push(path);
    const fresh = { data: { csrf_token: "new", person_id: ANN } };
    if (path === "/actions/csrf") return new Response(JSON.stringify(fresh));
    return new Response(JSON.stringify({ error: { code: "cross_site", message: "No" } }), { status: 403 });
  });
  await expect(sender("old", ANN)("sites.goals.save", {})).rejects.toThrow("No");
  expect(requests).toEqual(["/actions/sites.goals.save", "/actions/csrf", "/actions/sites.goals.save"]);
});

test("an action on a signed-out page reloads the page, which redirects to sign-in", async () => {
  const reload = vi.fn();
  serve(null);
  vi.stubGlobal("window", { location: { reload } });
  await expect(sender("old", ANN)("sites.goals.save", {})).rejects.toThrow("unauthenticated");
  expect(reload).toHaveBeenCalledOnce();
  vi.unstubAllGlobals();
});
