import { randomUUID } from "node:crypto";
import { once } from "node:events";
import http, { type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { SCOPES, type Scope } from "@/lib/contract/access";
import type { DnsServer } from "@/lib/testing/dns";
import { consent, DEVICE_GRANT, freshAddress, makeAgent, postAuth } from "@/lib/testing/oauth";
import { type AnswerCheck, answerCheck } from "@/lib/testing/openapi-answers";
import { type Published, type Target, targetsOf } from "@/lib/testing/openapi-requests";
import type { RunningServer } from "@/lib/testing/server";
import { CHROME, type TestSite } from "@/lib/testing/world";

const ALL_SCOPES = Object.keys(SCOPES) as Scope[];
export const METRICS_TOKEN = "a-secret-of-the-contract-tests";

/** Which tests run: all, or only those that `next start`, without fast path and own HTTP parser, must pass too. */
export type Tier = "full" | "short";

export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape of the response
  body: any;
}

/** A request: text is sent unchanged, an object as JSON, parameters as a form. */
interface Call {
  method?: string;
  body?: string | object | URLSearchParams;
  headers?: Record<string, string>;
}

export interface Contract {
  document: Published;
  targets: Target[];
  /** Checks a response against the OpenAPI document. @returns the problem, or null */
  check: AnswerCheck;
}

/** Client of a running server that knows only its URL and its published documents. */
export class Client {
  private contract: Promise<Contract> | undefined;

  constructor(
    readonly server: RunningServer,
    /** The name server that the server uses. */
    readonly dns: Pick<DnsServer, "set">,
  ) {}

  /** The server's default BASE_URL. */
  get url(): string {
    return `http://localhost:${this.server.port}`;
  }

  /** Sends a request from a new IP address, so that tests do not share rate limits. */
  async call(path: string, { method, body, headers = {} }: Call = {}): Promise<Reply> {
    const isJson = typeof body === "object" && !(body instanceof URLSearchParams);
    const response = await fetch(this.url + path, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      redirect: "manual",
      headers: {
        "x-forwarded-for": freshAddress(),
        "user-agent": CHROME,
        ...(isJson ? { "content-type": "application/json" } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : (body as string | URLSearchParams) }),
    });
    const content = await response.text();
    const answersJson = response.headers.get("content-type")?.startsWith("application/json") && content !== "";
    return {
      status: response.status,
      headers: response.headers,
      text: content,
      body: answersJson ? JSON.parse(content) : null,
    };
  }

  /** Sends a request with headers that `fetch` does not allow: `Host`, or `If-None-Match` without `Cache-Control`. */
  async callWith(headers: Record<string, string>, path: string, method = "GET") {
    const request = http.request({ port: this.server.port, host: "127.0.0.1", method, path, headers });
    request.end();
    const [response] = (await once(request, "response")) as [IncomingMessage];
    return { status: response.statusCode, type: response.headers["content-type"], text: await text(response) };
  }

  /** The published OpenAPI document with its targets and a response check; fetched once. */
  published(): Promise<Contract> {
    this.contract ??= this.call("/openapi.json").then(({ body }) => ({
      document: body,
      targets: targetsOf(body),
      check: answerCheck(body),
    }));
    return this.contract;
  }

  /** Calls a read operation, with objects as JSON in the query. Repeats a call that is refused for a moment, as clients do. */
  async read(token: string, operation: string, input: Record<string, unknown> = {}): Promise<Reply> {
    const pairs = Object.entries(input).map(([name, value]): [string, string] => [name, inQuery(value)]);
    const query = pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : "";
    const headers = { authorization: `Bearer ${token}`, "x-request-id": "my-own.id_1" };
    for (;;) {
      const reply = await this.call(`/api/v1/management/actions/${operation}${query}`, { headers });
      if (reply.status !== 503) return reply;
      await setTimeout(Number(reply.headers.get("retry-after")) * 1_000);
    }
  }

  /** Calls a write operation, with a new idempotency key unless the headers contain one. */
  write(token: string, operation: string, input: object, headers: Record<string, string> = {}): Promise<Reply> {
    return this.call(`/api/v1/management/actions/${operation}`, {
      body: input,
      headers: { authorization: `Bearer ${token}`, "idempotency-key": randomUUID(), ...headers },
    });
  }

  /** Gets an access token by the device flow, with the consent of the site's owner. */
  async connect(site: TestSite, scopes: Scope[] = ALL_SCOPES): Promise<string> {
    const agent = postAuth(await makeAgent({ kind: "delegated", scopes }));
    const form = { ...agent, scope: scopes.join(" ") };
    const { body: device } = await this.call("/oauth/device/code", { body: new URLSearchParams(form) });
    await consent(device.user_code, site.ownerId, { scopes, sites: [site] });
    const grant = { ...agent, grant_type: DEVICE_GRANT, device_code: device.device_code };
    const resource = `${this.url}/api/v1/management`;
    const { status, body, text } = await this.call("/oauth/token", {
      body: new URLSearchParams({ ...grant, resource }),
    });
    if (status !== 200) throw new Error(`No token: ${text}`);
    return body.access_token;
  }

  /** Sends an event as a browser does. */
  event(body: object | string, headers: Record<string, string> = {}): Promise<Reply> {
    return this.call("/api/event", { body, headers: { "content-type": "application/json", ...headers } });
  }

  /** Sends a batch as a server does. */
  batch(key: string, body: object | string, headers: Record<string, string> = {}): Promise<Reply> {
    const own = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    return this.call("/api/v1/events", { body, headers: { ...own, ...headers } });
  }
}

/** Encodes a value for a query: objects as JSON. */
export const inQuery = (value: unknown): string => (typeof value === "object" ? JSON.stringify(value) : `${value}`);

export const pageview = ({ host }: { host: string }, path: string) => ({
  domain: host,
  name: "pageview",
  url: `https://${host}${path}`,
});
