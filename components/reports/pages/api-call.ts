/** What stands for the caller's token: a name in their shell, so that no secret is ever copied. */
const TOKEN = '"Authorization: Bearer $FOOTFALL_TOKEN"';

/** The same question as a call of the management API, for a shell. What is not asked is left out. */
export function apiCall(baseUrl: string, operation: string, input: Record<string, unknown>): string {
  const asked = Object.entries(input).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const fields = asked.map(([key, value]) => `--data-urlencode ${quoted(`${key}=${written(value)}`)}`);
  const address = quoted(`${baseUrl}/api/v1/management/actions/${operation}`);
  return [`curl -sSG ${address}`, `-H ${TOKEN}`, ...fields].join(" \\\n  ");
}

const written = (value: unknown): string => (typeof value === "object" ? JSON.stringify(value) : `${value}`);

/** In single quotes a shell takes everything as it is. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
