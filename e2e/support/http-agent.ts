import { randomBytes, randomUUID } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import type { Secret } from "./find-secrets";

/** An agent's side of the HTTP API: everything it knows it has read from answers. */

interface Body {
  // biome-ignore lint/suspicious/noExplicitAny: answers are read by the stories, which know what they asked
  [field: string]: any;
}

export interface Answered {
  status: number;
  body: Body;
}

export class Agent {
  /** The secrets it has sent or was given, and the refusals it got: stories look for the ones in the others. */
  readonly secrets: Secret[] = [];
  refusals = "";
  private client = { client_id: "", client_secret: "" };
  private token = "";

  constructor(private readonly baseUrl: string) {}

  private async send(path: string, init: RequestInit): Promise<Answered> {
    const response = await fetch(`${this.baseUrl}${path}`, init);
    const text = await response.text();
    if (!response.ok) this.refusals += `${text}\n`;
    return { status: response.status, body: JSON.parse(text) };
  }

  private secret(what: string, secret: string): string {
    this.secrets.push([what, secret]);
    return secret;
  }

  /** Calls an identity endpoint under a new key. */
  async identity(name: string, body: object): Promise<Answered> {
    const key = this.secret(`the key of ${name}`, randomBytes(32).toString("hex"));
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

  /** Calls an OAuth endpoint with its credentials; tokens that come are kept, the newest access token is used from then on. */
  async oauth(path: string, form: Record<string, string>): Promise<Answered> {
    const answer = await this.send(path, { method: "POST", body: new URLSearchParams({ ...this.client, ...form }) });
    const { access_token, refresh_token, device_code, user_code } = answer.body;
    if (access_token) this.token = this.secret("an access token", access_token);
    if (refresh_token) this.secret("a refresh token", refresh_token);
    if (device_code) this.secret("a device code", device_code);
    if (user_code) this.secret("a user code", user_code);
    return answer;
  }

  askForToken = (form: Record<string, string>): Promise<Answered> =>
    this.oauth("/oauth/token", { resource: `${this.baseUrl}/api/v1/management`, ...form });

  /** Calls an operation that reads. */
  read = (operation: string, query: Record<string, string | number>): Promise<Answered> =>
    this.send(`/api/v1/management/actions/${operation}?${new URLSearchParams(query as Record<string, string>)}`, {
      headers: { authorization: `Bearer ${this.token}` },
    });

  /** Calls an operation that writes. @returns a function that repeats the call, with an approval if one is given. */
  writing(operation: string, input: object): (approvalId?: string) => Promise<Answered> {
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

/** Types an agent's code and goes on to what it asks for. */
export async function openQuestion(page: Page, userCode: string): Promise<void> {
  await page.goto("/device");
  await page.getByLabel("Code", { exact: true }).fill(userCode);
  await page.getByRole("button", { name: "Go on" }).click();
  await expect(page.getByRole("heading", { name: "An agent wants to act for you" })).toBeVisible();
}

/** Allows an agent everything it asks for, on the person's only site. */
export async function allow(page: Page, userCode: string): Promise<void> {
  await openQuestion(page, userCode);
  await page.getByRole("button", { name: "Allow" }).click();
  await expect(page.getByRole("heading", { name: "Allowed. Go back to your agent." })).toBeVisible();
}
