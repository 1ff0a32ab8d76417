/** Code that signs a visitor's address, in several languages. */

const NODE = `import { createHash, createHmac } from "node:crypto";

function sign(key, timestamp, ip, body) {
  const bodyHash = createHash("sha256").update(body).digest("hex");
  return createHmac("sha256", key).update(\`\${timestamp}\\n\${ip}\\n\${bodyHash}\`).digest("hex");
}`;

const PYTHON = `import hashlib, hmac

def sign(key: str, timestamp: str, ip: str, body: bytes) -> str:
    body_hash = hashlib.sha256(body).hexdigest()
    text = f"{timestamp}\\n{ip}\\n{body_hash}"
    return hmac.new(key.encode(), text.encode(), hashlib.sha256).hexdigest()`;

const PHP = `function sign(string $key, string $timestamp, string $ip, string $body): string {
    return hash_hmac('sha256', "$timestamp\\n$ip\\n" . hash('sha256', $body), $key);
}`;

const GO = `import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

func sign(key, timestamp, ip string, body []byte) string {
	bodyHash := sha256.Sum256(body)
	mac := hmac.New(sha256.New, []byte(key))
	fmt.Fprintf(mac, "%s\\n%s\\n%x", timestamp, ip, bodyHash)
	return hex.EncodeToString(mac.Sum(nil))
}`;

export const SIGNERS = { "Node.js": NODE, PHP, Python: PYTHON, Go: GO } as const;

/** The same with curl and openssl. */
export const SIGNED_CURL = (base: string): string => `IP=198.51.100.20 TIMESTAMP=$(date +%s)
BODY='{"events":[{"type":"event","name":"Signup"}]}'
HASH=$(printf %s "$BODY" | openssl dgst -sha256 -r | cut -c 1-64)
SIGNATURE=$(printf '%s\\n%s\\n%s' "$TIMESTAMP" "$IP" "$HASH" |
  openssl dgst -sha256 -hmac "$INGEST_KEY" -r | cut -c 1-64)
curl -sS "${base}/api/v1/events" -d "$BODY" \\
  -H "Authorization: Bearer $INGEST_KEY" -H 'Content-Type: application/json' \\
  -H "X-Footfall-Client-IP: $IP" \\
  -H "X-Footfall-Client-IP-Timestamp: $TIMESTAMP" \\
  -H "X-Footfall-Client-IP-Signature: $SIGNATURE"`;

/** One example signature, to check other signers against. */
export const SIGNED_EXAMPLE = {
  key: "ffk_0000000000000000000000000000000000000000000",
  timestamp: "1773057600",
  ip: "198.51.100.20",
  body: '{"events":[{"type":"event","name":"Signup"}]}',
  signature: "14dac62c52552d6dd170c2b17db80324c05a17dc535412658cea13c3b72e63d7",
};
