import type { Server } from "./server";

/** A secret that a test has used, and a description of it. */
export type Secret = [what: string, secret: string];

/**
 * Searches for leaked secrets in the server's output, every column of every table, and the given texts. Each secret is
 * searched as plain text, base64, hex and percent-encoded; secrets of 32 random bytes also by their bytes.
 *
 * @returns one line per leak, which never contains the secret itself.
 */
export async function findSecrets(server: Server, secrets: Secret[], texts: Record<string, string>): Promise<string[]> {
  const places = { "the server's output": server.output(), ...(await dumpTables(server)), ...texts };
  return Object.entries(places).flatMap(([place, text]) =>
    secrets.flatMap(([what, secret]) =>
      encodingsOf(secret).flatMap(([form, shape]) => (text.includes(shape) ? [`${what} ${form} in ${place}`] : [])),
    ),
  );
}

function encodingsOf(secret: string): [form: string, shape: string][] {
  const bytes = Buffer.from(secret);
  const body = secret.replace(/^ff(?:[a-z]|_pat)_/, "");
  const random = /^[0-9a-f]{64}$/.test(body) ? Buffer.from(body, "hex") : Buffer.from(body, "base64url");
  return [
    ["as plain text", secret],
    ["as hex", bytes.toString("hex")],
    // Without the end of the encoding, which depends on the text that follows.
    ["as base64", bytes.toString("base64").replace(/=+$/, "").slice(0, -1)],
    ["percent-encoded", encodeURIComponent(secret)],
    ...(random.length === 32 ? ([["as its bytes", random.toString("hex")]] as [string, string][]) : []),
  ];
}

async function dumpTables(server: Server): Promise<Record<string, string>> {
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
