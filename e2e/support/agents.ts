import { createHash, randomBytes, randomUUID } from "node:crypto";
import type { Scope } from "@/lib/contract/vocabulary";
import type { Server } from "./server";

/** An agent with an access token, calling the management API as one does. */
export interface Agent {
  clientId: string;
  name: string;
  token: string;
  call(operation: string, input: Record<string, unknown>, approvalId?: string): Promise<Reply>;
}

export interface Reply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a story looks only at what it asked for
  body: any;
}

interface Wanted {
  /** Whose agent it is; null for a machine on its own. */
  email: string | null;
  siteIds: number[];
  name?: string;
  scopes?: readonly Scope[];
}

const ALL: readonly Scope[] = ["sites:read", "sites:write", "sites:delete", "analytics:read"];

/** Leaves an agent in the database as consent would, for stories that begin after it. */
export async function connectAgent(
  server: Server,
  { email, siteIds, name = "Pippa", scopes = ALL }: Wanted,
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

/** Calls with a token: writes get a key of their own. */
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

/** What `sites.settings.update` takes, so that a site would become public. */
export const openToAll = (siteId: number, name = "The shop") => ({
  site_id: siteId,
  name,
  timezone: "Europe/Berlin",
  reporting_currency: "USD",
  public: true,
});

/** An agent on its way to its human: what it got from the server, and how it asks whether they have decided. */
export interface Delegation {
  clientId: string;
  userCode: string;
  /** One poll. The story sees to the interval, by moving the last poll into the past. */
  poll(): Promise<Reply>;
  /** Asks for another code, as for more than it was given. */
  askAgain(): Promise<string>;
}

/** Bootstraps a delegated client and asks for a device code, over HTTP as an agent does. */
export async function askForCode(server: Server, name: string, scopes: readonly Scope[] = ALL): Promise<Delegation> {
  const made = await fetch(`${server.url}/api/v1/agents/identity/delegations`, {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": randomBytes(32).toString("hex") },
    body: JSON.stringify({ name, scopes }),
  });
  const { client_id, client_secret } = (await made.json()).data;
  const credentials = { client_id, client_secret };
  const ask = () => oauth(server, "device/code", { ...credentials, scope: scopes.join(" ") });
  const asked = await ask();
  const poll = async () => {
    await server.query("UPDATE device_code SET last_polled_at = NULL WHERE client_id = $1", [client_id]);
    return oauth(server, "token", {
      ...credentials,
      grant_type: "urn:ietf:params:oauth:grant-type:device_code",
      device_code: asked.body.device_code,
      resource: `${server.url}/api/v1/management`,
    });
  };
  const askAgain = async () => (await ask()).body.user_code;
  return { clientId: client_id, userCode: asked.body.user_code, poll, askAgain };
}

async function oauth(server: Server, endpoint: string, form: Record<string, string>): Promise<Reply> {
  const response = await fetch(`${server.url}/oauth/${endpoint}`, { method: "POST", body: new URLSearchParams(form) });
  return { status: response.status, body: await response.json() };
}

/** As if a person had signed in an hour ago: what matters asks for the password again. */
export async function tire(server: Server, email: string): Promise<void> {
  await server.query(
    `UPDATE owner_session SET auth_time = now() - interval '1 hour'
     WHERE person_id = (SELECT id FROM person WHERE email = $1)`,
    [email],
  );
}

/** Makes a person a member of a site, as an invitation would. */
export async function join(server: Server, siteId: number, email: string, role: "viewer" | "manager"): Promise<void> {
  await server.query(
    "INSERT INTO membership (site_id, person_id, role) SELECT $1, id, $3::role FROM person WHERE email = $2",
    [siteId, email, role],
  );
}

/** Makes an account the first one, who runs the service. */
export const makeFirst = (server: Server, email: string) =>
  server.query("UPDATE person SET id = (SELECT min(id) - 1 FROM person) WHERE email = $1", [email]);
