/** Code that verifies the signature of a webhook. The docs show it, and a test runs it unchanged. */

const NODE = `import { createHmac, timingSafeEqual } from "node:crypto";

// body: raw, before any JSON parser. Throws when the signature is not valid.
export function readMessage(headers, body, secret) {
  const id = headers["webhook-id"];
  const timestamp = headers["webhook-timestamp"];
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300)) throw new Error("too old");
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const expected = createHmac("sha256", key).update(\`\${id}.\${timestamp}.\`).update(body).digest();
  const known = String(headers["webhook-signature"]).split(" ").some((one) => {
    const [version, signature] = one.split(",");
    const given = Buffer.from(signature ?? "", "base64");
    return version === "v1" && given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!known) throw new Error("not signed with this secret");
  return JSON.parse(body);
}`;

const PYTHON = `import base64, hashlib, hmac, json, time

def read_message(headers, body: bytes, secret: str):
    # body: raw, before any JSON parser. Raises when the signature is not valid.
    id, timestamp = headers["webhook-id"], headers["webhook-timestamp"]
    if not abs(time.time() - int(timestamp)) <= 300:
        raise ValueError("too old")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{id}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    given = headers["webhook-signature"].split(" ")
    if not any(hmac.compare_digest(one, expected) for one in given):
        raise ValueError("not signed with this secret")
    return json.loads(body)`;

export const VERIFIERS = { "Node.js": NODE, Python: PYTHON } as const;

/** A message as it arrives, with its body on several lines. */
export const MESSAGE = (base: string): string => `POST /footfall HTTP/1.1
content-type: application/json
webhook-id: msg_0b6f9f0e-4a3f-4b62-9d4e-5d1c8a1b7c55
webhook-timestamp: 1795348805
webhook-signature: v1,h2s2q…=

{
  "type": "incident.started",
  "timestamp": "2026-11-22T12:00:05.000Z",
  "data": {
    "site_id": 1,
    "domain": "example.com",
    "incident_id": 42,
    "cause": "unreachable",
    "seen": "The page of example.com responded with 503, twice in a row.",
    "started_at": "2026-11-22T12:00:00.000Z",
    "ended_at": null,
    "url": "${base}/sites/1/settings/monitoring"
  }
}`;
