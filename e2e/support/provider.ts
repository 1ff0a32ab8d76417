import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, type Page } from "@playwright/test";
import { Provider } from "oidc-provider";

/** A real OpenID Connect provider, `oidc-provider`, on this machine. */
export interface RealProvider {
  /** The environment of a server that signs in with it. */
  env: Record<string, string>;
  /** Lets a server at this address use it. */
  serve(url: string): void;
  /** The address of a person there, and whether it is verified; by what they type as their name. */
  people: Map<string, { email: string; email_verified: boolean }>;
  stop(): Promise<void>;
}

const CLIENT = { client_id: "footfall", client_secret: "a client secret of the tests" };

export async function startProvider(): Promise<RealProvider> {
  let answer: RequestListener = (_, response) => response.writeHead(503).end();
  const server = createServer((request, response) => answer(request, response));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const people: RealProvider["people"] = new Map();
  return {
    env: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: CLIENT.client_id,
      OIDC_CLIENT_SECRET: CLIENT.client_secret,
      OIDC_NAME: "Example Login",
    },
    people,
    serve(url) {
      const provider = new Provider(issuer, {
        clients: [{ ...CLIENT, redirect_uris: [`${url}/api/auth/callback/oidc`] }],
        claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
        cookies: { keys: ["a key of the tests"] },
        findAccount: async (_, id) => ({ accountId: id, claims: async () => ({ sub: id, ...people.get(id) }) }),
      });
      answer = provider.callback();
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Types a name and any password on the provider's page. */
export async function signInAtProvider(page: Page, name: string): Promise<void> {
  await page.getByPlaceholder("Enter any login").fill(name);
  await page.getByPlaceholder("and password").fill("any");
  await page.getByRole("button", { name: "Sign-in" }).click();
}

/** Agrees to what the client asks for, which the provider asks once for each person. */
export async function agreeAtProvider(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { name: "Authorize" })).toBeVisible();
  await page.getByRole("button", { name: "Continue" }).click();
}
