import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { act } from "@/lib/api/actions";
import { csrfToken } from "@/lib/auth/reauth";
import { ownerOfSession } from "@/lib/auth/session-row";
import { RISKS, type Risk } from "@/lib/contract/access";
import type { Owner } from "@/lib/contract/define";
import { approverFreshMs } from "@/lib/gateway/decide";
import { OPERATIONS } from "@/lib/operations/index";
import { PERSONAL_OPERATIONS } from "@/lib/operations/personal/index";
import { db } from "@/lib/platform/db";
import { digest, freshSecret } from "@/lib/platform/secrets";
import { type Schema, valid } from "@/lib/testing/from-schema";
import { callOAuth, findCode, makeAgent, postAuth } from "@/lib/testing/oauth";
import { callApi, makeClient, makePerson, makeSite } from "@/lib/testing/world";

/** Guarantees of every operation that the dashboard calls. */

const OWN = "http://localhost:3000";

/** Creates a session and returns its owner as the server reads it. */
async function signIn(now: Date, signedInAt = now, known?: number): Promise<Owner> {
  const [personId, sid] = [known ?? (await makePerson()), freshSecret()];
  await db().ownerSession.create({
    data: {
      sidHash: new Uint8Array(digest(sid)),
      personId,
      authTime: signedInAt,
      expiresAt: new Date(now.getTime() + 3600_000),
    },
  });
  const owner = await ownerOfSession(sid, now);
  if (!owner) throw new Error("The session was not found");
  return owner;
}

interface SendOptions {
  owner: Owner | null;
  headers?: Record<string, string | null>;
  body?: object;
  now?: Date;
}

/** Calls an operation as the dashboard does, with changes by the test. */
async function send(id: string, { owner, headers = {}, body = {}, now = new Date() }: SendOptions) {
  const own: Record<string, string | null> = {
    origin: OWN,
    "sec-fetch-site": "same-origin",
    "content-type": "application/json",
    "x-csrf-token": owner && csrfToken(owner.sid),
    ...headers,
  };
  const request = { header: (name: string) => own[name] ?? null, bytes: async () => Buffer.from(JSON.stringify(body)) };
  const answer = await act(request, id, owner, now);
  return [answer.status, JSON.parse(answer.body).error?.code];
}

const NEEDS_APPROVAL = (risk: Risk): boolean => RISKS[risk].needsApproval;

/** All operations that the dashboard may call, with the maximum age of the sign-in; null for any session. */
const CALLABLE: [id: string, { input: z.ZodObject; freshMs: number | null }][] = [
  ...[...OPERATIONS.values()]
    .filter(({ risk }) => RISKS[risk as Risk].method === "POST")
    .map(({ id, input, risk }): [string, { input: z.ZodObject; freshMs: number | null }] => [
      id,
      { input, freshMs: NEEDS_APPROVAL(risk) ? approverFreshMs(risk) : null },
    ]),
  ...PERSONAL_OPERATIONS,
];

test("each file in personal/ is an operation of that name, and none of them is published", () => {
  const files = readdirSync("lib/operations/personal").filter((file) => file !== "index.ts");
  expect([...PERSONAL_OPERATIONS.keys()].map((id) => `${id}.ts`).sort()).toEqual(files.sort());
  for (const [id, operation] of PERSONAL_OPERATIONS) expect([operation.id, OPERATIONS.has(id)]).toEqual([id, false]);
});

test("operations on objects of other people answer not_found and change nothing", async () => {
  const site = await makeSite();
  const agent = await makeClient({ scopes: ["sites:read", "sites:delete"], sites: [site], personId: site.ownerId });
  const pending = await callApi("sites.delete", { token: agent.token, input: { site_id: site.id } });
  const { id } = pending.body.error.details.approval;
  const owner = await signIn(new Date());
  const foreign: [id: string, body: object][] = [
    ["approvals.decide", { id, decision: "approved" }],
    ["approvals.decide", { id, decision: "denied" }],
    ["agents.revoke", { client_id: agent.id }],
    ["agents.narrow", { client_id: agent.id, scopes: ["sites:read"], site_ids: [] }],
    ["agents.remove_from_site", { client_id: agent.id, site_id: site.id }],
  ];
  for (const [operation, body] of foreign)
    expect(await send(operation, { owner, body }), operation).toEqual([404, "not_found"]);
  expect((await db().approval.findUniqueOrThrow({ where: { id } })).status).toBe("pending");
  const { status } = await callApi("sites.settings.get", { token: agent.token, input: { site_id: site.id } });
  expect(status).toBe(200);
});

test("an X-Request-ID with a line break, 10 kB or non-ASCII characters is replaced by a new id", async () => {
  const owner = await signIn(new Date());
  const idFor = async (given: string) => {
    const request = { header: (name: string) => (name === "x-request-id" ? given : null), bytes: async () => null };
    const { headers, body } = await act(request, "sites.delete", owner, new Date());
    expect(JSON.parse(body).request_id).toBe(headers["x-request-id"]);
    return headers["x-request-id"];
  };
  expect(await idFor("job-7.a_B")).toBe("job-7.a_B");
  for (const hostile of ["a\nlevel: 60", "a\r\nset-cookie: a=b", "x".repeat(10_000), "s\u00e9same", "\u202ea", ""])
    expect(await idFor(hostile), hostile.slice(0, 20)).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
});

/** Returns the paths of all integers of a schema, including those in lists. */
function integersOf(schema: Schema, path: string[] = []): string[][] {
  if (schema.type === "integer") return [path];
  if (schema.type === "array") return integersOf(schema.items ?? {}, [...path, "0"]);
  return Object.entries(schema.properties ?? {}).flatMap(([name, one]) => integersOf(one, [...path, name]));
}

/** Returns the body with another value at the path. */
function put(body: unknown, [key, ...rest]: string[], value: number): unknown {
  if (key === undefined) return value;
  const inner = put((body as Record<string, unknown> | undefined)?.[key], rest, value);
  return key === "0" ? [inner] : { ...(body as object), [key]: inner };
}

test("integers beyond the database range are refused by every operation in every field", async () => {
  const now = new Date();
  const { id: siteId, ownerId } = await makeSite();
  const client = await makeAgent({ kind: "delegated", scopes: ["sites:read"] });
  const { body: code } = await callOAuth("device", postAuth(client), { now });
  const { question } = await findCode(code.user_code, ownerId, now);
  const agent = await makeClient({ scopes: ["sites:read"], sites: [{ id: siteId }], personId: ownerId });
  // Values that let a call pass the checks before its numbers.
  const known = {
    site_id: siteId,
    site_ids: [siteId],
    person_id: ownerId,
    new_owner_id: ownerId,
    client_id: agent.id,
    question,
    decision: "approve",
    scopes: ["sites:read"],
    email: "someone@example.com",
    role: "viewer",
  };
  let checked = 0;
  for (const [index, [id, { input }]] of CALLABLE.entries()) {
    // Spread over time, so that the rate limit does not apply.
    const at = new Date(now.getTime() + index * 5_000);
    const owner = await signIn(at, at, ownerId);
    const schema = z.toJSONSchema(input, { io: "input" }) as Schema;
    const names = Object.keys(schema.properties ?? {});
    const base = Object.fromEntries(Object.entries(known).filter(([name]) => names.includes(name)));
    for (const path of integersOf(schema)) {
      for (const number of [2 ** 31, 2 ** 53 - 1]) {
        const [status] = await send(id, { owner, now: at, body: put(base, path, number) as object });
        expect([403, 404, 422], `${id} ${path.join(".")} ${number}`).toContain(status);
        checked++;
      }
    }
  }
  expect(checked).toBeGreaterThan(20);
});

test("an operation that does not exist is not found", async () => {
  expect(await send("sites.explode", { owner: await signIn(new Date()) })).toEqual([404, "operation_not_found"]);
});

for (const [id, operation] of CALLABLE) {
  test(`${id} is refused without a session, with or without a bearer token`, async () => {
    const agent = await makeClient({ scopes: ["sites:write"], personId: await makePerson() });
    expect(await send(id, { owner: null })).toEqual([401, "unauthenticated"]);
    const headers = { authorization: `Bearer ${agent.token}` };
    expect(await send(id, { owner: null, headers })).toEqual([401, "unauthenticated"]);
  });

  test(`${id} is refused without the CSRF token of this session`, async () => {
    const [owner, other] = [await signIn(new Date()), await signIn(new Date())];
    for (const token of [null, "", csrfToken(other.sid), randomUUID()]) {
      expect(await send(id, { owner, headers: { "x-csrf-token": token } })).toEqual([403, "cross_site"]);
    }
  });

  test(`${id} is refused from any other origin`, async () => {
    const owner = await signIn(new Date());
    for (const origin of [null, "null", "https://evil.example", "http://localhost:3000.evil.example", `${OWN}/`]) {
      expect(await send(id, { owner, headers: { origin } }), `${origin}`).toEqual([403, "cross_site"]);
    }
    for (const site of ["cross-site", "same-site", "none"]) {
      expect(await send(id, { owner, headers: { "sec-fetch-site": site } }), site).toEqual([403, "cross_site"]);
    }
  });

  test(`${id} refuses unknown fields`, async () => {
    const owner = await signIn(new Date());
    expect(await send(id, { owner, body: { is_admin: true } })).toEqual([422, "invalid_input"]);
    expect(operation.input.safeParse({ is_admin: true }).error?.issues).toContainEqual(
      expect.objectContaining({ code: "unrecognized_keys", keys: ["is_admin"] }),
    );
  });
}

/** A value of a generator that an operation takes: a few at a time, because most operations take one of the first. */
function validBody(fitting: fc.Arbitrary<unknown>, input: z.ZodObject): object {
  for (let seed = 0; seed < 100; seed++) {
    const body = fc.sample(fitting, { numRuns: 10, seed }).find((value) => input.safeParse(value).success);
    if (body) return body as object;
  }
  throw new Error("no valid body was found");
}

for (const [id, { freshMs, input }] of CALLABLE) {
  if (freshMs === null) continue;
  test(`${id} requires reauthentication when the sign-in is too old`, async () => {
    const now = new Date();
    const owner = await signIn(now, new Date(now.getTime() - freshMs - 1));
    // Examples in the schema lead to a valid body where the types alone do not.
    const fitting = valid(z.toJSONSchema(input, { io: "input" }) as Schema, new Map());
    const body = validBody(fitting, input);
    expect(await send(id, { owner, body, now })).toEqual([403, "reauthentication_required"]);
  });
}
