import type { Server } from "./server";

/** A secret that a story has used, and what it was. */
export type Secret = [what: string, secret: string];

/**
 * Looks for secrets where none may be: in everything the server has printed, in every column of every table, and in the
 * texts given besides. Each is looked for as it is and as base64, hex and percent-encoded, and those that are 32 random
 * bytes in base64url or hex also by these bytes.
 *
 * @returns a line for each one found; never the secret itself.
 */
export async function findSecrets(server: Server, secrets: Secret[], texts: Record<string, string>): Promise<string[]> {
  const places = { "the server's output": server.output(), ...(await everyTable(server)), ...texts };
  return Object.entries(places).flatMap(([place, text]) =>
    secrets.flatMap(([what, secret]) =>
      formsOf(secret).flatMap(([form, shape]) => (text.includes(shape) ? [`${what} ${form} in ${place}`] : [])),
    ),
  );
}

function formsOf(secret: string): [form: string, shape: string][] {
  const bytes = Buffer.from(secret);
  const body = secret.replace(/^ff[a-z]_/, "");
  const random = /^[0-9a-f]{64}$/.test(body) ? Buffer.from(body, "hex") : Buffer.from(body, "base64url");
  return [
    ["as it is", secret],
    ["as hex", bytes.toString("hex")],
    // Without the last two characters, which depend on what follows.
    ["as base64", bytes.toString("base64").replace(/=+$/, "").slice(0, -1)],
    ["percent-encoded", encodeURIComponent(secret)],
    ...(random.length === 32 ? ([["as its bytes", random.toString("hex")]] as [string, string][]) : []),
  ];
}

async function everyTable(server: Server): Promise<Record<string, string>> {
  const tables = await server.query<{ name: string }>(
    "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname IN ('public', 'facts')",
  );
  const contents = await Promise.all(
    tables.map(async ({ name }) => {
      const rows = await server.query<{ row: string }>(`SELECT t::text AS row FROM ${name} AS t`);
      return [`the table ${name}`, rows.map(({ row }) => row).join("\n")];
    }),
  );
  return Object.fromEntries(contents);
}
