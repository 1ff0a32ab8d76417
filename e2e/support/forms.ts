import { type APIRequestContext, expect } from "@playwright/test";
import { PASSWORD, PASSWORD_HASH } from "@/lib/testing/password";
import type { Server } from "./server";

/**
 * Does over HTTP what pages do, as a fast setup for tests of something else. The tests of these pages fill in the forms
 * themselves.
 */
export interface Forms {
  /** Creates an account with the password `PASSWORD`, the first one as its page does, and signs in. */
  signUp(email: string, server: Server): Promise<void>;
  signIn(person: { email: string; password: string }): Promise<void>;
  /** Runs an operation as the person. @returns its answer */
  // biome-ignore lint/suspicious/noExplicitAny: each operation has its own answer.
  call(operation: string, input: object): Promise<any>;
  /** @returns the id of the site */
  addSite(host: string, timezone?: string): Promise<number>;
}

/** @param request shares the cookies of a browser @param url the base URL of the server */
export function forms(request: APIRequestContext, url: string): Forms {
  const act = async (operation: string, data: object, token?: string) => {
    const headers = { origin: url, ...(token !== undefined && { "x-csrf-token": token }) };
    const answer = await request.post(`/actions/${operation}`, { headers, data });
    expect(answer.status(), (await answer.text()).slice(0, 500)).toBe(200);
    return (await answer.json()).data;
  };
  const signIn = async ({ email, password }: { email: string; password: string }) => {
    const { csrfToken } = await (await request.get("/api/auth/csrf")).json();
    const form = { email, password, code: "", csrfToken, json: "true" };
    const answer = await request.post("/api/auth/callback/credentials", { form });
    expect(new URL((await answer.json()).url).searchParams.get("error")).toBeNull();
  };
  const call = async (operation: string, input: object) => {
    const session = await (await request.get("/actions/csrf")).json();
    return act(operation, input, session.data.csrf_token);
  };
  return {
    signIn,
    call,
    async signUp(email, { query }) {
      const person = { email, password: PASSWORD };
      if ((await query("SELECT 1 FROM person LIMIT 1")).length === 0) await act("signup.first", person);
      else {
        const values = [email, PASSWORD_HASH];
        await query("INSERT INTO person (email, password_hash, email_confirmed_at) VALUES ($1, $2, now())", values);
      }
      await signIn(person);
    },
    async addSite(host, timezone = "UTC") {
      return (await call("sites.create", { domain: host, name: "", timezone, public: false })).site_id;
    },
  };
}
