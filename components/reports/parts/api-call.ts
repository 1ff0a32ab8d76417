/** The token as a shell variable, so that no secret is copied. */
const TOKEN = '"Authorization: Bearer $FOOTFALL_TOKEN"';

/** Returns a curl command that calls an operation of the management API. Empty fields are left out. */
export function apiCall(baseUrl: string, operation: string, input: Record<string, unknown>): string {
  const given = Object.entries(input).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const fields = given.map(([key, value]) => `--data-urlencode ${quote(`${key}=${serialise(value)}`)}`);
  const url = quote(`${baseUrl}/api/v1/management/actions/${operation}`);
  return [`curl -sSG ${url}`, `-H ${TOKEN}`, ...fields].join(" \\\n  ");
}

const serialise = (value: unknown): string => (typeof value === "object" ? JSON.stringify(value) : `${value}`);

/** Quotes a text for the shell. Single quotes disable all expansion. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
