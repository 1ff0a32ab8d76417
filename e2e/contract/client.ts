import { randomUUID } from "node:crypto";
import { once } from "node:events";
import http, { type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { SCOPES, type Scope } from "@/lib/contract/vocabulary";
import type { DnsServer } from "@/lib/testing/dns";
import { consent, DEVICE_GRANT, freshAddress, makeAgent, postAuth } from "@/lib/testing/oauth";
import { type AnswerCheck, answerCheck } from "@/lib/testing/openapi-answers";
import { type Published, type Target, targetsOf } from "@/lib/testing/openapi-requests";
import type { RunningServer } from "@/lib/testing/server";
import { CHROME, type TestSite } from "@/lib/testing/world";

const COPIED_WITHIN_MS = 30_000;
export const ALL_SCOPES = Object.keys(SCOPES) as Scope[];
export const METRICS_TOKEN = "a-secret-of-the-contract-tests";

/** Which tests run: all of them, or those that a server without fast path and own HTTP parser must pass too. */
export type Tier = "full" | "short";

export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what it asked for
  body: any;
}

/** What a test sends: text as it is, an object as JSON, parameters as a form. */
interface Call {
  method?: string;
  body?: string | object | URLSearchParams;
  headers?: Record<string, string>;
}

export interface Contract {
  document: Published;
  targets: Target[];
  /** Says what is wrong with an answer by the document of this server, or null. */
  check: AnswerCheck;
}

/** A client of a running server, which knows nothing of it but its address and the texts that it publishes. */
export class Client {
  private contract: Promise<Contract> | undefined;

  constructor(
    readonly server: RunningServer,
    /** The name server that the server asks. */
    readonly dns: Pick<DnsServer, "set">,
  ) {}

  get url(): string {
    return this.server.url;
  }

  /** Calls from an address of its own, so that the limits of an address do not add up over tests. */
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

  /** A request with headers that `fetch` sets by itself: `Host`, or `Cache-Control` beside `If-None-Match`. */
  async callWith(headers: Record<string, string>, path: string, method = "GET") {
    const request = http.request({ port: this.server.port, host: "127.0.0.1", method, path, headers });
    request.end();
    const [response] = (await once(request, "response")) as [IncomingMessage];
    return { status: response.statusCode, text: await text(response) };
  }

  /** What the server publishes of itself; read once. */
  published(): Promise<Contract> {
    this.contract ??= this.call("/openapi.json").then(({ body }) => ({
      document: body,
      targets: targetsOf(body),
      check: answerCheck(body),
    }));
    return this.contract;
  }

  /** Reads by an operation: objects in a query are JSON. While the site's events are copied for reports, it asks again. */
  async read(token: string, operation: string, input: Record<string, unknown> = {}): Promise<Reply> {
    const pairs = Object.entries(input).map(([name, value]): [string, string] => [name, inQuery(value)]);
    const query = pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : "";
    const headers = { authorization: `Bearer ${token}`, "x-request-id": "my-own.id_1" };
    for (const until = Date.now() + COPIED_WITHIN_MS; ; ) {
      const reply = await this.call(`/api/v1/management/actions/${operation}${query}`, { headers });
      const isCopying = reply.status === 503 && reply.body.error?.details?.progress !== undefined;
      if (!isCopying || Date.now() > until) return reply;
      await setTimeout(Number(reply.headers.get("retry-after")) * 1_000);
    }
  }

  /** Writes by an operation, under a key of its own unless one is given. */
  write(token: string, operation: string, input: object, headers: Record<string, string> = {}): Promise<Reply> {
    return this.call(`/api/v1/management/actions/${operation}`, {
      body: input,
      headers: { authorization: `Bearer ${token}`, "idempotency-key": randomUUID(), ...headers },
    });
  }

  /** An access token as an agent gets it: by a device code to which the owner of a site consents. */
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

/** How a value stands in a query. */
export const inQuery = (value: unknown): string => (typeof value === "object" ? JSON.stringify(value) : `${value}`);

export const pageview = ({ host }: { host: string }, path: string) => ({
  domain: host,
  name: "pageview",
  url: `https://${host}${path}`,
});
