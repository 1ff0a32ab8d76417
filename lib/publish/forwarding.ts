/** Configurations and code that forward the script and its events. The docs show them, and a test runs them unchanged. */

export const TAG = `<script defer src="/numbers/read.js" data-api="/numbers/in" data-domain="example.com"></script>`;

export const NGINX = (base: string): string => `location = /numbers/read.js {
  proxy_pass ${base}/script.js;
  proxy_set_header Cookie "";
  proxy_ssl_server_name on;
}
location = /numbers/in {
  proxy_pass ${base}/api/event;
  proxy_set_header Cookie "";
  proxy_set_header X-Forwarded-For $remote_addr;
  proxy_ssl_server_name on;
}`;

export const CADDY = (base: string): string => `@numbers path /numbers/read.js /numbers/in
handle @numbers {
  uri replace /numbers/read.js /script.js
  uri replace /numbers/in /api/event
  reverse_proxy ${base} {
    header_up Host {upstream_hostport}
    header_up X-Forwarded-For {remote_host}
    header_up -Cookie
  }
}`;

export const NEXT = (base: string): string => `export default {
  async rewrites() {
    return [
      { source: "/numbers/read.js", destination: "${base}/script.js" },
      { source: "/numbers/in", destination: "${base}/api/event" },
    ];
  },
};`;

export const WORKER = (base: string): string => `const text = new TextEncoder();
const hex = (bytes) =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");

async function sign(key, timestamp, ip, body) {
  const bodyHash = hex(await crypto.subtle.digest("SHA-256", body));
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const secret = await crypto.subtle.importKey("raw", text.encode(key), hmac, false, ["sign"]);
  const signed = text.encode(\`\${timestamp}\\n\${ip}\\n\${bodyHash}\`);
  return hex(await crypto.subtle.sign("HMAC", secret, signed));
}

export default {
  async fetch(request, env) {
    const path = new URL(request.url).pathname;
    const headers = new Headers(request.headers);
    headers.delete("Cookie");
    if (path === "/numbers/read.js") return fetch("${base}/script.js", { headers });
    if (path !== "/numbers/in" || request.method !== "POST") {
      return new Response(null, { status: 404 });
    }
    const ip = request.headers.get("CF-Connecting-IP");
    const timestamp = String(Math.floor(Date.now() / 1000));
    const body = await request.arrayBuffer();
    headers.set("X-Forwarded-For", ip);
    headers.set("X-Footfall-Timestamp", timestamp);
    headers.set("X-Footfall-Signature", await sign(env.FOOTFALL_SIGNING_KEY, timestamp, ip, body));
    return fetch("${base}/api/event", { method: "POST", headers, body });
  },
};`;

export const FORWARD = (base: string): string => `import { createHash, createHmac } from "node:crypto";

const PASSED_ON = /^(sec-.*|accept-language|content-type|dnt|origin|referer|user-agent)$/;

export async function forward(request, { key, ip }) {
  const headers = new Headers([...request.headers].filter(([name]) => PASSED_ON.test(name)));
  const body = Buffer.from(await request.arrayBuffer());
  const timestamp = String(Math.floor(Date.now() / 1000));
  const bodyHash = createHash("sha256").update(body).digest("hex");
  const signature = createHmac("sha256", key)
    .update(timestamp + "\\n" + ip + "\\n" + bodyHash)
    .digest("hex");
  headers.set("X-Forwarded-For", ip);
  headers.set("X-Footfall-Timestamp", timestamp);
  headers.set("X-Footfall-Signature", signature);
  return fetch("${base}/api/event", { method: "POST", headers, body });
}`;

export const SIGN_PYTHON = `import hashlib, hmac, time

def signed(key: str, ip: str, body: bytes) -> dict:
    timestamp = str(int(time.time()))
    body_hash = hashlib.sha256(body).hexdigest()
    text = timestamp + "\\n" + ip + "\\n" + body_hash
    signature = hmac.new(key.encode(), text.encode(), hashlib.sha256).hexdigest()
    return {
        "X-Forwarded-For": ip,
        "X-Footfall-Timestamp": timestamp,
        "X-Footfall-Signature": signature,
    }`;

export const SIGN_PHP = `<?php
function signed(string $key, string $ip, string $body): array {
    $timestamp = (string) time();
    $bodyHash = hash("sha256", $body);
    $signature = hash_hmac("sha256", $timestamp . "\\n" . $ip . "\\n" . $bodyHash, $key);
    return [
        "X-Forwarded-For" => $ip,
        "X-Footfall-Timestamp" => $timestamp,
        "X-Footfall-Signature" => $signature,
    ];
}`;
