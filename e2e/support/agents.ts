import { createHash, randomBytes, randomUUID } from "node:crypto";
import type { Scope } from "@/lib/contract/vocabulary";
import type { Server } from "./server";

/** An agent with an access token for the management API. */
export interface Agent {
  clientId: string;
  name: string;
  token: string;
  call(operation: string, input: Record<string, unknown>, approvalId?: string): Promise<Reply>;
}

export interface Reply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape of the response
  body: any;
}

interface AgentOptions {
  /** The person it acts for; null for a machine account. */
  email: string | null;
  siteIds: number[];
  name?: string;
  scopes?: readonly Scope[];
}

const ALL: readonly Scope[] = ["sites:read", "sites:write", "sites:delete", "analytics:read"];

/** Inserts a connected agent into the database, as consent would. */
export async function connectAgent(
  server: Server,
  { email, siteIds, name = "Pippa", scopes = ALL }: AgentOptions,
): Promise<Agent> {
  const clientId = `ffc_${randomUUID()}`;
  const token = `ffa_${randomBytes(32).toString("base64url")}`;
  const hash = createHash("sha256").update(token).digest();
  const people = await server.query<{ id: number }>("SELECT id FROM person WHERE email = $1", [email]);
  const personId = people[0]?.id ?? null;
  await server.query(
    `INSERT INTO client (id, kind, name, secret_hash, owner_id, requested_scopes, granted_scopes)
     VALUES ($1, $2, $3, $4, $5, $6, $6)`,
    [clientId, personId === null ? "machine" : "delegated", name, hash, personId, scopes],
  );
  await server.query("INSERT INTO client_site (client_id, site_id) SELECT $1, unnest($2::int[])", [clientId, siteIds]);
  await server.query(
    `INSERT INTO access_token (hash, client_id, issuer, audience, owner_id, scopes, issued_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, now() - interval '1 minute', now() + interval '1 hour')`,
    [hash, clientId, server.url, `${server.url}/api/v1/management`, personId, scopes],
  );
  return { clientId, name, token, call: caller(server, token) };
}

/** Returns a function that calls operations with a token. Each write gets a new idempotency key. */
export const caller =
  (server: Server, token: string) =>
  async (operation: string, input: Record<string, unknown>, approvalId?: string): Promise<Reply> => {
    const address = `${server.url}/api/v1/management/actions/${operation}`;
    const headers: Record<string, string> = { authorization: `Bearer ${token}` };
    const reads = ["sites.list", "sites.settings.get", "analytics.overview"].includes(operation);
    const response = reads
      ? await fetch(`${address}?${new URLSearchParams(Object.entries(input).map(([k, v]) => [k, `${v}`]))}`, {
          headers,
        })
      : await fetch(address, {
          method: "POST",
          headers: {
            ...headers,
            "content-type": "application/json",
            "idempotency-key": randomUUID(),
            ...(approvalId ? { "x-agent-approval-id": approvalId } : {}),
          },
          body: JSON.stringify(input),
        });
    return { status: response.status, body: await response.json() };
  };

/** Input of `sites.settings.update` that makes a site public. */
export const publicSettings = (siteId: number, name = "The shop") => ({
  site_id: siteId,
  name,
  timezone: "Europe/Berlin",
  reporting_currency: "USD",
  public: true,
});

/** A device authorization that waits for the person's decision. */
export interface Delegation {
  clientId: string;
  userCode: string;
  /** Polls once. Resets the time of the last poll, so tests do not have to wait for the interval. */
  poll(): Promise<Reply>;
  /** Requests another code. @returns the user code */
  requestAgain(): Promise<string>;
}

/** Registers a delegated client and requests a device code, over HTTP as an agent does. */
export async function requestDeviceCode(
  server: Server,
  name: string,
  scopes: readonly Scope[] = ALL,
): Promise<Delegation> {
  const made = await fetch(`${server.url}/api/v1/agents/identity/delegations`, {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": randomBytes(32).toString("hex") },
    body: JSON.stringify({ name, scopes }),
  });
  const { client_id, client_secret } = (await made.json()).data;
  const credentials = { client_id, client_secret };
  const request = () => oauth(server, "device/code", { ...credentials, scope: scopes.join(" ") });
  const device = await request();
  const poll = async () => {
    await server.query("UPDATE device_code SET last_polled_at = NULL WHERE client_id = $1", [client_id]);
    return oauth(server, "token", {
      ...credentials,
      grant_type: "urn:ietf:params:oauth:grant-type:device_code",
      device_code: device.body.device_code,
      resource: `${server.url}/api/v1/management`,
    });
  };
  const requestAgain = async () => (await request()).body.user_code;
  return { clientId: client_id, userCode: device.body.user_code, poll, requestAgain };
}

async function oauth(server: Server, endpoint: string, form: Record<string, string>): Promise<Reply> {
  const response = await fetch(`${server.url}/oauth/${endpoint}`, { method: "POST", body: new URLSearchParams(form) });
  return { status: response.status, body: await response.json() };
}

/** Moves the person's sign-in an hour into the past, so that sensitive actions ask for the password again. */
export async function ageSignIn(server: Server, email: string): Promise<void> {
  await server.query(
    `UPDATE owner_session SET auth_time = now() - interval '1 hour'
     WHERE person_id = (SELECT id FROM person WHERE email = $1)`,
    [email],
  );
}

/** Adds a person to a site, as an accepted invitation would. */
export async function join(server: Server, siteId: number, email: string, role: "viewer" | "manager"): Promise<void> {
  await server.query(
    "INSERT INTO membership (site_id, person_id, role) SELECT $1, id, $3::role FROM person WHERE email = $2",
    [siteId, email, role],
  );
}

/** Turns an account into the first one, which administers the service. */
export const makeFirstAccount = (server: Server, email: string) =>
  server.query("UPDATE person SET id = (SELECT min(id) - 1 FROM person) WHERE email = $1", [email]);
