import { randomBytes, randomUUID } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import type { Secret } from "./find-secrets";

/** An agent that uses the HTTP API. It knows only what it has read from responses. */

interface Body {
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape of the response
  [field: string]: any;
}

export interface Reply {
  status: number;
  body: Body;
}

export class Agent {
  /** Secrets that were sent or received, and all error responses. Tests search the errors for the secrets. */
  readonly secrets: Secret[] = [];
  refusals = "";
  private client = { client_id: "", client_secret: "" };

  constructor(
    private readonly baseUrl: string,
    private token = "",
  ) {}

  private async send(path: string, init: RequestInit): Promise<Reply> {
    const response = await fetch(`${this.baseUrl}${path}`, init);
    const text = await response.text();
    if (!response.ok) this.refusals += `${text}\n`;
    return { status: response.status, body: JSON.parse(text) };
  }

  private secret(what: string, secret: string): string {
    this.secrets.push([what, secret]);
    return secret;
  }

  /** Calls an identity endpoint with a new idempotency key. */
  async identity(name: string, body: object): Promise<Reply> {
    const key = this.secret(`the idempotency key of ${name}`, randomBytes(32).toString("hex"));
    const headers = { "content-type": "application/json", "idempotency-key": key };
    const answer = await this.send(`/api/v1/agents/identity/${name}`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    if (answer.body.data?.client_secret) {
      const { client_id, client_secret } = answer.body.data;
      this.client = { client_id, client_secret: this.secret("a client's secret", client_secret) };
    }
    return answer;
  }

  newRecoveryKey = (): string => this.secret("a recovery key", randomBytes(32).toString("hex"));

  /** Calls an OAuth endpoint with the client's credentials. Later calls use the newest access token. */
  async oauth(path: string, form: Record<string, string>): Promise<Reply> {
    const answer = await this.send(path, { method: "POST", body: new URLSearchParams({ ...this.client, ...form }) });
    const { access_token, refresh_token, device_code, user_code } = answer.body;
    if (access_token) this.token = this.secret("an access token", access_token);
    if (refresh_token) this.secret("a refresh token", refresh_token);
    if (device_code) this.secret("a device code", device_code);
    if (user_code) this.secret("a user code", user_code);
    return answer;
  }

  requestToken = (form: Record<string, string>): Promise<Reply> =>
    this.oauth("/oauth/token", { resource: `${this.baseUrl}/api/v1/management`, ...form });

  /** Calls a read operation. */
  read = (operation: string, query: Record<string, unknown>): Promise<Reply> =>
    this.send(`/api/v1/management/actions/${operation}?${new URLSearchParams(query as Record<string, string>)}`, {
      headers: { authorization: `Bearer ${this.token}` },
    });

  /** Prepares a write. @returns a function that sends it with the same idempotency key each time */
  writing(operation: string, input: object): (approvalId?: string) => Promise<Reply> {
    const key = randomUUID();
    return (approvalId) =>
      this.send(`/api/v1/management/actions/${operation}`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${this.token}`,
          "content-type": "application/json",
          "idempotency-key": key,
          ...(approvalId ? { "x-agent-approval-id": approvalId } : {}),
        },
        body: JSON.stringify(input),
      });
  }
}

/** Enters an agent's code on the open page `/device`. */
export async function enterUserCode(page: Page, userCode: string): Promise<void> {
  await page.getByLabel("Code", { exact: true }).fill(userCode);
  await page.getByRole("button", { name: "Continue" }).click();
}

/** Enters an agent's code and opens the consent page. */
export async function openConsent(page: Page, userCode: string): Promise<void> {
  await page.goto("/device");
  await enterUserCode(page, userCode);
  await expect(page.getByRole("heading", { name: "An agent requests access" })).toBeVisible();
}

/** Ticks every permission that the agent requests: only those that read are ticked at first. */
export async function tickAll(page: Page): Promise<void> {
  for (const box of await page.getByRole("region", { name: "Permissions" }).getByRole("checkbox").all())
    await box.check();
}

/** Allows everything that the agent requests, on the person's only site. */
export async function allow(page: Page, userCode: string): Promise<void> {
  await openConsent(page, userCode);
  await tickAll(page);
  await page.getByRole("button", { name: "Allow" }).click();
  await expect(page.getByRole("heading", { name: "Allowed. Go back to your agent." })).toBeVisible();
}
