import { test as concurrent, expect, vi } from "vitest";
import { sender } from "@/components/actions/send";

/** How a page sends its actions, against a server whose session of now is another than the page was opened in. */
const test = concurrent.sequential;

const ANN = 7;

/** A server that takes one token. @returns what it was asked, in order */
function serve(session: { token: string; personId: number } | null): string[] {
  const asked: string[] = [];
  const answer = (status: number, body: object) => new Response(JSON.stringify(body), { status });
  const refuse = (status: number, code: string) => answer(status, { error: { code, message: `Refused: ${code}` } });
  vi.stubGlobal("fetch", async (address: string, { headers }: { headers?: Record<string, string> } = {}) => {
    asked.push(address);
    if (!session) return refuse(401, "unauthenticated");
    if (address === "/actions/csrf")
      return answer(200, { data: { csrf_token: session.token, person_id: session.personId } });
    return headers?.["x-csrf-token"] === session.token
      ? answer(200, { data: { done: true } })
      : refuse(403, "cross_site");
  });
  return asked;
}

test("an action of a page that was opened before its person signed in again is sent once more with a fresh token", async () => {
  const asked = serve({ token: "new", personId: ANN });
  const send = sender("old", ANN);
  expect(await send("sites.goals.save", {})).toEqual({ done: true });
  expect(asked).toEqual(["/actions/sites.goals.save", "/actions/csrf", "/actions/sites.goals.save"]);
  expect(await send("sites.goals.save", {})).toEqual({ done: true });
  expect(asked).toHaveLength(4);
});

test("an action is not sent as another person who signed in meanwhile; the refusal says to reload", async () => {
  const asked = serve({ token: "new", personId: ANN + 1 });
  await expect(sender("old", ANN)("account.delete", {})).rejects.toThrow(/Someone else signed in.*Reload the page/);
  expect(asked).toEqual(["/actions/account.delete", "/actions/csrf"]);
});

test("a token that is refused twice is not tried again", async () => {
  const asked = serve({ token: "new", personId: ANN });
  vi.stubGlobal("fetch", async (address: string) => {
    asked.push(address);
    const fresh = { data: { csrf_token: "new", person_id: ANN } };
    if (address === "/actions/csrf") return new Response(JSON.stringify(fresh));
    return new Response(JSON.stringify({ error: { code: "cross_site", message: "No" } }), { status: 403 });
  });
  await expect(sender("old", ANN)("sites.goals.save", {})).rejects.toThrow("No");
  expect(asked).toEqual(["/actions/sites.goals.save", "/actions/csrf", "/actions/sites.goals.save"]);
});

test("a signed-out page reloads, which leads to the sign-in page", async () => {
  const reload = vi.fn();
  serve(null);
  vi.stubGlobal("window", { location: { reload } });
  await expect(sender("old", ANN)("sites.goals.save", {})).rejects.toThrow("unauthenticated");
  expect(reload).toHaveBeenCalledOnce();
  vi.unstubAllGlobals();
});
