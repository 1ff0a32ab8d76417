import { z } from "zod";
import type { ProviderSettings } from "@/lib/auth/ways";
import { Fault } from "@/lib/platform/errors";
import { processWide } from "@/lib/platform/process-wide";

const FRESH_MS = 10 * 60_000;
const TIMEOUT_MS = 10_000;
/** Signatures that we accept, the preferred one first: none is made with a secret that both sides have. */
const ALGORITHMS = ["RS256", "ES256", "PS256", "EdDSA", "RS384", "ES384", "PS384", "RS512", "ES512", "PS512"];

const endpoint = z.url({ protocol: /^https?$/ });
const document = z.object({
  issuer: z.string(),
  authorization_endpoint: endpoint,
  token_endpoint: endpoint,
  jwks_uri: endpoint,
  userinfo_endpoint: endpoint.optional(),
  id_token_signing_alg_values_supported: z.array(z.string()).optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
});

/** The endpoints of a provider, and what it supports (OpenID Connect Discovery 1.0 section 3). */
export type Discovered = z.output<typeof document> & {
  /** The algorithm that must have signed its ID tokens. */
  algorithm: string;
  tokenAuthentication: "client_secret_basic" | "client_secret_post";
};

const known = processWide("oidc-discovery", () => ({ at: 0, found: null as Discovered | null }));

/**
 * Reads the configuration of the provider, at most every ten minutes.
 *
 * @throws Error when it cannot be read, or is that of another issuer, or sends secrets over plain http to elsewhere.
 */
export async function discover({ issuer }: ProviderSettings, now: Date): Promise<Discovered> {
  if (known.found?.issuer === issuer && now.getTime() - known.at < FRESH_MS) return known.found;
  const response = await fetch(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`, {
    redirect: "error",
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: { accept: "application/json" },
  });
  if (!response.ok) throw new Fault(`The provider answered ${response.status} to its discovery`);
  const read = document.parse(await response.json());
  if (read.issuer !== issuer) throw new Fault("The discovery document of OIDC_ISSUER names another issuer");
  // An http issuer is on this machine, and so must be what it names.
  const endpoints = [read.authorization_endpoint, read.token_endpoint, read.jwks_uri, read.userinfo_endpoint ?? issuer];
  const { protocol, hostname } = new URL(issuer);
  const isSafe = (address: string) =>
    address.startsWith("https:") || (protocol === "http:" && new URL(address).hostname === hostname);
  if (!endpoints.every(isSafe))
    throw new Fault("The discovery document of OIDC_ISSUER names an endpoint without https");
  const methods = read.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  const signing = read.id_token_signing_alg_values_supported ?? ["RS256"];
  const found: Discovered = {
    ...read,
    algorithm: ALGORITHMS.find((name) => signing.includes(name)) ?? "RS256",
    tokenAuthentication: methods.includes("client_secret_basic") ? "client_secret_basic" : "client_secret_post",
  };
  Object.assign(known, { at: now.getTime(), found });
  return found;
}
