/** Headers that several addresses share, by the name under which the document holds them. */
export const PARAMETERS = {
  RequestId: {
    name: "X-Request-ID",
    in: "header",
    description: "An id of your own for this call: up to 128 of A-Z a-z 0-9 . _ -; anything else is replaced",
    schema: { type: "string" },
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    required: true,
    description: "New for each act, the same for its repetitions; visible ASCII characters without spaces",
    schema: { type: "string", minLength: 8, maxLength: 200, pattern: "^[\\x21-\\x7e]+$" },
    example: "add-example-com-2026-11-20",
  },
  IdentityKey: {
    name: "Idempotency-Key",
    in: "header",
    required: true,
    description:
      "32 random bytes as lowercase hex, made anew for each act and independently of the recovery key; keep it private, for with the same body it is answered the same secrets again for 24 hours",
    schema: { type: "string", pattern: "^[0-9a-f]{64}$" },
    example: "3f1c0e5b7a9d4c2e8f6a1b3d5c7e9f0a2b4c6d8e0f1a3b5c7d9e1f2a4b6c8d0e",
  },
  ClientIp: {
    name: "X-Footfall-Client-IP",
    in: "header",
    description:
      "Address of the visitor whom all events of the batch are about, IPv4 or IPv6; taken only together with its time and its signature. Also taken under the names `X-Service-Client-IP…`",
    schema: { type: "string" },
    example: "198.51.100.23",
  },
  ClientIpTimestamp: {
    name: "X-Footfall-Client-IP-Timestamp",
    in: "header",
    description: "When it was signed: Unix seconds or RFC 3339, at most five minutes ago and one minute ahead",
    schema: { type: "string" },
    example: "1764072000",
  },
  ClientIpSignature: {
    name: "X-Footfall-Client-IP-Signature",
    in: "header",
    description:
      "HMAC-SHA-256 under the ingest key, as lowercase hex, of the timestamp, a line feed, the address, a line feed and the lowercase hex SHA-256 of the body as it is sent",
    schema: { type: "string", pattern: "^[0-9a-f]{64}$" },
  },
  ApprovalId: {
    name: "X-Agent-Approval-ID",
    in: "header",
    description: "The id of the approval that a human has given to this very call",
    schema: { type: "string" },
  },
};
/** A shared header, by reference. */
export const refer = (name: keyof typeof PARAMETERS) => ({ $ref: `#/components/parameters/${name}` });
