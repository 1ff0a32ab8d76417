import { createHash, randomBytes, randomUUID } from "node:crypto";
import type { Scope } from "@/lib/contract/access";
import { Agent, type Reply } from "./http-agent";
import type { Server } from "./server";

/** An agent with an access token for the management API. */
export interface ConnectedAgent {
  clientId: string;
  token: string;
  /** Calls an operation. Each write gets a new idempotency key. */
  call(operation: string, input: Record<string, unknown>, approvalId?: string): Promise<Reply>;
}

/** The read operations that tests call. */
const READS = ["sites.list", "sites.settings.get"];

const ALL: readonly Scope[] = ["sites:read", "sites:write", "sites:delete", "analytics:read", "events:read"];

/** Inserts an agent of a person into the database, as consent would. */
export async function connectAgent(
  server: Server,
  { email, siteIds, name = "Pippa" }: { email: string; siteIds: number[]; name?: string },
): Promise<ConnectedAgent> {
  const clientId = `ffc_${randomUUID()}`;
  const token = `ffa_${randomBytes(32).toString("base64url")}`;
  const hash = createHash("sha256").update(token).digest();
  await server.query(
    `INSERT INTO client (id, kind, name, secret_hash, owner_id, requested_scopes, granted_scopes)
     SELECT $1, 'delegated', $2, $3, id, $4, $4 FROM person WHERE email = $5`,
    [clientId, name, hash, ALL, email],
  );
  await server.query("INSERT INTO client_site (client_id, site_id) SELECT $1, unnest($2::int[])", [clientId, siteIds]);
  await server.query(
    `INSERT INTO access_token (hash, client_id, issuer, audience, owner_id, scopes, issued_at, expires_at)
     SELECT $1, id, $3, $4, owner_id, granted_scopes, now() - interval '1 minute', now() + interval '1 hour'
     FROM client WHERE id = $2`,
    [hash, clientId, server.url, `${server.url}/api/v1/management`],
  );
  const agent = new Agent(server.url, token);
  return {
    clientId,
    token,
    call: (operation, input, approvalId) =>
      READS.includes(operation) ? agent.read(operation, input) : agent.writing(operation, input)(approvalId),
  };
}

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
  /** Calls a read operation with the token of the last poll. */
  read: Agent["read"];
}

/** Registers a delegated client and requests a device code, over HTTP as an agent does. */
export async function requestDeviceCode(
  server: Server,
  name: string,
  scopes: readonly Scope[] = ALL,
): Promise<Delegation> {
  const agent = new Agent(server.url);
  const { client_id } = (await agent.identity("delegations", { name, scopes })).body.data;
  const request = async () => (await agent.oauth("/oauth/device/code", { scope: scopes.join(" ") })).body;
  const { user_code, device_code } = await request();
  const poll = async () => {
    await server.query("UPDATE device_code SET last_polled_at = NULL WHERE client_id = $1", [client_id]);
    return agent.requestToken({ grant_type: "urn:ietf:params:oauth:grant-type:device_code", device_code });
  };
  const requestAgain = async () => (await request()).user_code;
  return { clientId: client_id, userCode: user_code, poll, requestAgain, read: agent.read };
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

/** Makes a person an administrator of the service. */
export const makeAdministrator = (server: Server, email: string) =>
  server.query("UPDATE person SET administrator = true WHERE email = $1", [email]);
