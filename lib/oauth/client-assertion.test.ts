import { randomUUID } from "node:crypto";
import type { RequestListener } from "node:http";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { expect, test } from "vitest";
import { requireSignature, signerOf } from "@/lib/oauth/client-assertion";
import { formOf } from "@/lib/oauth/form";
import { OAuthRefusal } from "@/lib/platform/errors";
import { decideRequest, pkce, REDIRECT, redeem, requestOf } from "@/lib/testing/assistants";
import { damaged } from "@/lib/testing/damaged";
import { serversForTests } from "@/lib/testing/internet";
import { statusAndError } from "@/lib/testing/oauth";
import { makeSite } from "@/lib/testing/world";

/** Requests for tokens that an assistant signs, with keys from a real server on loopback. */

const AT = new Date("2025-03-12T12:00:00Z");
const SECOND = AT.getTime() / 1000;
const TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const ISSUER = "http://localhost:3000";
const { hosted } = serversForTests();

/** An assistant that signs; `also` is a second method that its document allows. */
async function signing(also: string[] = []) {
  const host = `${randomUUID()}.proof.example`;
  const id = `https://${host}/client.json`;
  const jwksUri = `https://${host}/keys.json`;
  const keys = [await generateKeyPair("ES256")];
  const answer: RequestListener = async (request, response) => {
    const published = await Promise.all(
      keys.map(async ({ publicKey }) => ({ ...(await exportJWK(publicKey)), alg: "ES256" })),
    );
    const document = {
      ...{ client_id: id, client_name: "Helper", redirect_uris: [REDIRECT], jwks_uri: jwksUri },
      ...{ token_endpoint_auth_method: "private_key_jwt", token_endpoint_auth_methods_supported: also },
    };
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify(request.url === "/keys.json" ? { keys: published.slice(-1) } : document));
  };
  const { server, internet } = await hosted(answer, { host });
  return { id, jwksUri, mustSign: also.length === 0, keys, server, internet };
}
type Assistant = Awaited<ReturnType<typeof signing>>;

const sign = ({ id, keys }: Assistant, claims: Record<string, unknown> = {}, key = keys.at(-1)?.privateKey) =>
  new SignJWT({ iss: id, sub: id, aud: ISSUER, iat: SECOND, exp: SECOND + 60, jti: randomUUID(), ...claims })
    .setProtectedHeader({ alg: "ES256" })
    .sign(key as CryptoKey);
const formWith = (assertion: string | null, type = TYPE) =>
  formOf(new URLSearchParams(assertion === null ? {} : { client_assertion: assertion, client_assertion_type: type }));
const failure = (assistant: Assistant, form: ReturnType<typeof formOf>, now = AT) =>
  requireSignature(assistant, form, now, assistant.internet).then(
    () => null,
    (error) => {
      if (error instanceof OAuthRefusal) return error.error;
      throw error;
    },
  );

test("a right signature is accepted, and one for another client, server, time or key is refused", async () => {
  const assistant = await signing();
  expect(await failure(assistant, formWith(await sign(assistant)))).toBeNull();
  expect(await failure(assistant, formWith(await sign(assistant, { aud: `${ISSUER}/oauth/token` })))).toBeNull();
  const other = await generateKeyPair("ES256");
  const wrong = [
    await sign(assistant, { iss: "https://evil.example/client.json" }),
    await sign(assistant, { sub: "https://evil.example/client.json" }),
    await sign(assistant, { aud: "https://evil.example" }),
    await sign(assistant, { exp: SECOND - 60 }),
    await sign(assistant, { exp: undefined }),
    await sign(assistant, { exp: SECOND + 86_400 }),
    await sign(assistant, { iat: SECOND + 86_400, exp: SECOND + 86_401 }),
    await sign(assistant, {}, other.privateKey),
    `${Buffer.from('{"alg":"none"}').toString("base64url")}.${(await sign(assistant)).split(".")[1]}.`,
    "not.a.token",
  ];
  for (const assertion of wrong)
    expect(await failure(assistant, formWith(assertion)), assertion).toBe("invalid_client");
  expect(await failure(assistant, formWith(await sign(assistant), "another"))).toBe("invalid_client");
  expect(await failure(assistant, formWith(null))).toBe("invalid_client");
  expect(await failure({ ...assistant, jwksUri: null as never }, formWith(await sign(assistant)))).toBe(
    "invalid_client",
  );
  expect(signerOf(await sign(assistant))).toBe(assistant.id);
  expect([signerOf("x"), signerOf(null)]).toEqual([null, null]);
});

test("keys at a private address are never connected to, and the assistant is told to try again", async () => {
  const assistant = await signing();
  const { privateRanges: _, ...internet } = assistant.internet;
  expect(await failure({ ...assistant, internet } as Assistant, formWith(await sign(assistant)))).toBe(
    "temporarily_unavailable",
  );
  expect(assistant.server.connections()).toBe(0);
});

test("new keys of an assistant are read when it signs with them, at most once a minute", async () => {
  const assistant = await signing();
  expect(await failure(assistant, formWith(await sign(assistant)))).toBeNull();
  const [old] = assistant.keys;
  assistant.keys.push(await generateKeyPair("RS256"));
  const { privateKey } = assistant.keys[1] as Awaited<ReturnType<typeof generateKeyPair>>;
  const assertion = await new SignJWT({ iss: assistant.id, sub: assistant.id, aud: ISSUER, exp: SECOND + 300 })
    .setProtectedHeader({ alg: "RS256" })
    .sign(privateKey);
  expect(await failure(assistant, formWith(assertion))).toBe("invalid_client");
  expect(await failure(assistant, formWith(await sign(assistant, {}, old?.privateKey)))).toBeNull();
  expect(assistant.server.requestedPaths).toEqual(["/keys.json"]);
});

test("an assistant whose document asks for signatures gets tokens by them, and without them only if it allows that", async () => {
  for (const [also, unsigned] of [
    [[], "401 invalid_client"],
    [["none", "private_key_jwt"], "200"],
  ] as const) {
    const assistant = await signing([...also]);
    // The keys are kept from here: the token endpoint reads no server of a test.
    expect(await failure(assistant, formWith(await sign(assistant)))).toBeNull();
    const site = await makeSite();
    const codeFor = async () => {
      const { verifier, challenge } = pkce();
      const query = requestOf(assistant.id, { code_challenge: challenge });
      const choice = { scopes: ["sites:read" as const], sites: [site] };
      const { parameters } = await decideRequest(query, site.ownerId, choice, AT, assistant);
      return { clientId: assistant.id, code: parameters.code ?? "", verifier };
    };
    const asked = await codeFor();
    expect(statusAndError(await redeem(asked, AT))).toBe(unsigned);
    const signed = { client_assertion: await sign(assistant), client_assertion_type: TYPE };
    const signatureAt = signed.client_assertion.lastIndexOf(".") + 1;
    const forged = { ...signed, client_assertion: damaged(signed.client_assertion, signatureAt) };
    const again = await codeFor();
    expect(statusAndError(await redeem(again, AT, forged))).toBe("401 invalid_client");
    expect(statusAndError(await redeem(again, AT, { ...signed, client_id: "" }))).toBe("200");
  }
});
