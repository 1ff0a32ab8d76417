import { createHash, randomBytes, randomUUID } from "node:crypto";
import type { Scope } from "@/lib/contract/vocabulary";
import type { Server } from "./server";

/** An agent with an access token, calling the management API as one does. */
export interface Agent {
  clientId: string;
  name: string;
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
export async function connectAgent(server: Server, { email, siteIds, name = "Pippa", scopes = ALL }: Wanted) {
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
  return { clientId, name, call: caller(server, token) } satisfies Agent;
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
