import { randomUUID } from "node:crypto";
import { nextAuth } from "@/lib/auth/next-auth";
import { env } from "@/lib/platform/env";
import { CALLER_HEADERS } from "@/lib/platform/http/caller";

interface SendOptions {
  method?: string;
  query?: string;
  form?: Record<string, string>;
  body?: BodyInit;
}

/** Returns a browser with a cookie jar, for next-auth's endpoints. */
export function browser(address: string = randomUUID()) {
  const jar = new Map<string, string>();
  const send = async (path: string, { method = "GET", query = "", form, body }: SendOptions = {}) => {
    const request = new Request(`${env().BASE_URL}/api/auth/${path}${query}`, {
      method,
      headers: {
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; "),
        [CALLER_HEADERS.address]: address,
        ...(body ? { "content-type": "application/x-www-form-urlencoded" } : {}),
      },
      body: body ?? (form ? new URLSearchParams(form) : null),
      duplex: "half",
    } as RequestInit);
    const response = await nextAuth(request, { params: Promise.resolve({ nextauth: path.split("/") }) });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === "") jar.delete(name);
      else jar.set(name, value);
    }
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) };
  };
  const post = async (address: string, fields: Record<string, string> = {}, query = "") => {
    const { csrfToken } = (await send("csrf")).json();
    return send(address, { method: "POST", query, form: { csrfToken, json: "true", ...fields } });
  };
  return { address, jar, send, post, whoAmI: async () => (await send("session")).json().user?.email };
}
