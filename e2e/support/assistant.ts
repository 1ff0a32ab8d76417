import { randomUUID } from "node:crypto";
import type { OAuthClientMetadata, OAuthClientProvider } from "@modelcontextprotocol/client";
import { expect, type Page } from "@playwright/test";
import { tickAll } from "./http-agent";
import { BACK, type LoopbackApp } from "./loopback-app";

/** What an assistant keeps of its sign-in, and the browser in which its person signs in. It serves both published clients. */

type Client = Awaited<ReturnType<OAuthClientProvider["clientInformation"]>>;
type Tokens = Awaited<ReturnType<OAuthClientProvider["tokens"]>>;
type Discovery = Awaited<ReturnType<NonNullable<OAuthClientProvider["discoveryState"]>>>;

/**
 * @param options.metadataUrl the URL of its metadata document; it registers itself without one.
 * @param options.refreshes whether it keeps refresh tokens.
 */
export function keepSignIn(
  redirectUrl: string,
  redirectUris: string[],
  { metadataUrl, refreshes = true }: { metadataUrl?: string; refreshes?: boolean } = {},
) {
  const kept: { client: Client; tokens: Tokens; discovery: Discovery; verifier: string; page: URL | undefined } = {
    client: undefined,
    tokens: undefined,
    discovery: undefined,
    verifier: "",
    page: undefined,
  };
  const clientMetadata: OAuthClientMetadata = {
    client_name: "Helper",
    redirect_uris: redirectUris,
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
  return {
    /** What it has asked for, and what it got. */
    kept,
    redirectUrl,
    clientMetadata,
    ...(metadataUrl && { clientMetadataUrl: metadataUrl }),
    state: () => randomUUID(),
    clientInformation: () => kept.client,
    saveClientInformation: (client: Client) => {
      kept.client = client;
    },
    tokens: () => kept.tokens,
    saveTokens: (tokens: Tokens) => {
      const { refresh_token: _, ...others } = tokens ?? {};
      kept.tokens = refreshes ? tokens : (others as Tokens);
    },
    invalidateCredentials: (what: string) => {
      if (what === "tokens") kept.tokens = undefined;
    },
    discoveryState: () => kept.discovery,
    saveDiscoveryState: (discovery: Discovery) => {
      kept.discovery = discovery;
    },
    redirectToAuthorization: (page: URL) => {
      kept.page = page;
    },
    saveCodeVerifier: (verifier: string) => {
      kept.verifier = verifier;
    },
    codeVerifier: () => kept.verifier,
  } satisfies OAuthClientProvider & { kept: object };
}
export type KeptSignIn = ReturnType<typeof keepSignIn>;

/** Opens the page that the assistant asks for and allows everything on it. @returns the parameters of the answer. */
export async function allowIn(page: Page, { kept }: KeptSignIn, app: LoopbackApp): Promise<URLSearchParams> {
  await page.goto(`${kept.page}`);
  return allowHere(page, app);
}

/** Allows everything on the open consent page. @returns the parameters of the answer. */
export async function allowHere(page: Page, app: LoopbackApp): Promise<URLSearchParams> {
  await expect(page.getByRole("heading", { name: "An agent requests access" })).toBeVisible();
  await tickAll(page);
  await page.getByRole("button", { name: "Allow" }).click();
  await expect(page.getByRole("heading", { name: BACK })).toBeVisible();
  return app.answers.at(-1) ?? new URLSearchParams();
}

/** Opens the page of an approval and decides. */
export async function decideIn(page: Page, address: string, decision: "Approve" | "Deny"): Promise<void> {
  await page.goto(address);
  await page.getByRole("button", { name: decision }).first().click();
  await expect(
    page.getByText(decision === "Approve" ? "Approved by you just now." : "Denied by you just now."),
  ).toBeVisible();
}
