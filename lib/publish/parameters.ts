import type { Schema } from "@/lib/publish/schemas";
import { pascal } from "@/lib/publish/shared-schemas";

/** Headers that several endpoints share, by their name under `components/parameters`. */
export const PARAMETERS = {
  RequestId: {
    name: "X-Request-ID",
    in: "header",
    description: "Your own id for this call: 1 to 128 characters of A-Z a-z 0-9 . _ -. Any other value is replaced.",
    schema: { type: "string" },
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    required: true,
    description: "New for each change, the same for its retries. Visible ASCII characters without spaces.",
    schema: { type: "string", minLength: 8, maxLength: 200, pattern: "^[\\x21-\\x7e]+$" },
    example: "add-example-com-2026-11-20",
  },
  IdentityKey: {
    name: "Idempotency-Key",
    in: "header",
    required: true,
    description:
      "32 random bytes as lowercase hex: new for each request, the same for its retries, and independent of the recovery key. Keep it private: for 24 hours, key and body together return the same secrets again.",
    schema: { type: "string", pattern: "^[0-9a-f]{64}$" },
    example: "3f1c0e5b7a9d4c2e8f6a1b3d5c7e9f0a2b4c6d8e0f1a3b5c7d9e1f2a4b6c8d0e",
  },
  ClientIp: {
    name: "X-Footfall-Client-IP",
    in: "header",
    description:
      "Address of the visitor of all events in the batch, IPv4 or IPv6. Used only with its timestamp and signature. The names `X-Service-Client-IP…` work too.",
    schema: { type: "string" },
    example: "198.51.100.23",
  },
  ClientIpTimestamp: {
    name: "X-Footfall-Client-IP-Timestamp",
    in: "header",
    description: "When it was signed: Unix seconds or RFC 3339, at most five minutes old and one minute ahead",
    schema: { type: "string" },
    example: "1764072000",
  },
  ClientIpSignature: {
    name: "X-Footfall-Client-IP-Signature",
    in: "header",
    description:
      "HMAC-SHA-256 under the ingest key, as lowercase hex, of: timestamp, line feed, address, line feed, lowercase hex SHA-256 of the body as sent",
    schema: { type: "string", pattern: "^[0-9a-f]{64}$" },
  },
  ApprovalId: {
    name: "X-Agent-Approval-ID",
    in: "header",
    description: "The id of the approval that a human gave for exactly this call",
    schema: { type: "string" },
  },
};
/** A reference to a shared header. */
export const parameterReference = (name: keyof typeof PARAMETERS) => ({ $ref: `#/components/parameters/${name}` });

/** Objects and lists have no single plain form in a query. */
export const isComposite = ({ type, anyOf = [] }: Schema): boolean =>
  [type, ...anyOf.map((one) => (one as Schema).type)].flat().some((one) => one === "object" || one === "array");

interface QueryParameter {
  name: string;
  in: "query";
  example?: unknown;
}

/** A parameter without its example, as text. */
const keyOf = ({ example: _, ...rest }: QueryParameter): string => JSON.stringify(rest);

/**
 * Replaces each query parameter that two operations share by a reference.
 *
 * @param operations are changed in place.
 * @returns the shared parameters by name; each keeps the first example that an operation gave.
 */
export function shareParameters(operations: readonly { parameters: unknown[] }[]): Record<string, object> {
  const all = operations
    .flatMap(({ parameters }) => parameters as QueryParameter[])
    .filter((one) => one.in === "query");
  const uses = new Map<string, QueryParameter[]>();
  for (const one of all) uses.set(keyOf(one), [...(uses.get(keyOf(one)) ?? []), one]);
  const names = new Map<string, string>();
  const shared: Record<string, object> = {};
  for (const [key, same] of uses) {
    const [first] = same;
    if (!first || same.length < 2) continue;
    const taken = Object.keys(shared).filter((name) => name.replace(/\d+$/, "") === pascal(first.name)).length;
    const name = taken === 0 ? pascal(first.name) : `${pascal(first.name)}${taken + 1}`;
    names.set(key, name);
    shared[name] = same.find(({ example }) => example !== undefined) ?? first;
  }
  for (const operation of operations) {
    operation.parameters = (operation.parameters as QueryParameter[]).map((one) => {
      const name = one.in === "query" ? names.get(keyOf(one)) : undefined;
      return name === undefined ? one : { $ref: `#/components/parameters/${name}` };
    });
  }
  return shared;
}
