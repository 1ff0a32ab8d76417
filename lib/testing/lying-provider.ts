import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** An OpenID Connect provider that issues the ID tokens that a test wants, also ones that no honest provider does. */

export interface LyingProvider {
  issuer: string;
  /** The ID token for the next code. */
  idToken: string;
  /** Replaces values of the discovery document. */
  discovery: Record<string, unknown>;
  /** The public keys that it publishes. */
  keys: object[];
  /** What the userinfo endpoint answers; null for 404. */
  userinfo: Record<string, unknown> | null;
  /** The forms that its token endpoint has got. */
  exchanges: URLSearchParams[];
  /** Signs claims with a key that it publishes, or with another one. */
  sign(claims: object, by?: { key?: KeyObject; header?: object }): string;
  stop(): Promise<void>;
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** Returns a token that is not signed. */
export const unsigned = (claims: object): string => `${encode({ alg: "none" })}.${encode(claims)}.`;

/** Returns a token that is signed with a secret that client and provider share. */
export function signedWithSecret(claims: object, secret: string | Buffer): string {
  const text = `${encode({ alg: "HS256" })}.${encode(claims)}`;
  return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
}

export const newKey = (): KeyObject => generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;

/** Returns the public half of a key, as providers publish it, without an id. */
export const jwkOf = (key: KeyObject): object => ({
  ...(key.type === "private" ? createPublicKey(key) : key).export({ format: "jwk" }),
  use: "sig",
  alg: "RS256",
});

export async function lyingProvider(): Promise<LyingProvider> {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const server = createServer(async (request, response) => {
    const answer = (body: unknown, status = 200) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (request.url === "/.well-known/openid-configuration") {
      const endpoints = {
        issuer: provider.issuer,
        authorization_endpoint: `${provider.issuer}/authorize`,
        token_endpoint: `${provider.issuer}/token`,
        jwks_uri: `${provider.issuer}/keys`,
        ...(provider.userinfo && { userinfo_endpoint: `${provider.issuer}/userinfo` }),
      };
      return answer({ ...endpoints, ...provider.discovery });
    }
    if (request.url === "/keys") {
      return answer({ keys: provider.keys });
    }
    if (request.url === "/userinfo") return answer(provider.userinfo);
    let body = "";
    for await (const chunk of request) body += chunk;
    provider.exchanges.push(new URLSearchParams(body));
    answer({ access_token: "access", token_type: "Bearer", id_token: provider.idToken });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const provider: LyingProvider = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    idToken: "",
    discovery: {},
    keys: [{ ...jwkOf(publicKey), kid: "1" }],
    userinfo: null,
    exchanges: [],
    sign(claims, { key = privateKey, header = {} } = {}) {
      const text = `${encode({ alg: "RS256", kid: "1", ...header })}.${encode(claims)}`;
      return `${text}.${sign("sha256", Buffer.from(text), key).toString("base64url")}`;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return provider;
}
