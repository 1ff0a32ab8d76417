import { readFileSync } from "node:fs";
import path from "node:path";
import { type APIRequestContext, type APIResponse, expect } from "@playwright/test";
import { PASSWORD, PASSWORD_HASH } from "@/lib/testing/password";
import type { Server } from "./server";

/**
 * Submits forms over HTTP without opening their pages, as a fast setup for tests of something else. The tests of these
 * pages fill in the forms themselves.
 */
export interface Forms {
  /** Creates an account with the password `PASSWORD`, the first one as its page does, and signs in. */
  signUp(email: string, server: Server): Promise<void>;
  signIn(person: { email: string; password: string }): Promise<void>;
  /** @returns the id of the site */
  addSite(host: string, timezone?: string): Promise<number>;
}

/** @param request shares the cookies of a browser @param url the base URL of the server */
export function forms(request: APIRequestContext, url: string): Forms {
  /** Submits a form as a browser without JavaScript does. @returns where it redirects */
  const submit = async (form: string, action: string, fields: Record<string, string>) => {
    const answer = await request.post(form, {
      headers: { origin: url },
      multipart: { [`$ACTION_ID_${actionId(action)}`]: "", ...fields },
      maxRedirects: 0,
    });
    expect(answer.status(), await excerpt(answer)).toBeLessThan(400);
    return answer.headers().location ?? "";
  };
  const signIn = async ({ email, password }: { email: string; password: string }) => {
    const { csrfToken } = await (await request.get("/api/auth/csrf")).json();
    const form = { email, password, code: "", csrfToken, json: "true" };
    const answer = await request.post("/api/auth/callback/credentials", { form });
    expect(new URL((await answer.json()).url).searchParams.get("error")).toBeNull();
  };
  return {
    signIn,
    async signUp(email, { query }) {
      const person = { email, password: PASSWORD };
      if ((await query("SELECT 1 FROM person LIMIT 1")).length === 0) await submit("/signup", "signUpFirst", person);
      else {
        const values = [email, PASSWORD_HASH];
        await query("INSERT INTO person (email, password_hash, email_confirmed_at) VALUES ($1, $2, now())", values);
      }
      await signIn(person);
    },
    async addSite(host, timezone = "UTC") {
      const next = await submit("/sites/new", "addSite", { domain: host, name: "", timezone });
      const siteId = Number(/\/sites\/(\d+)\/install$/.exec(next)?.[1]);
      expect(siteId, next).toBeGreaterThan(0);
      return siteId;
    },
  };
}

const excerpt = async (answer: APIResponse) => (await answer.text()).slice(0, 500);

interface Manifest {
  node: Record<string, { exportedName: string }>;
}

/** Returns the id of a Server Action in the build. @throws if there is no such action */
export function actionId(name: string): string {
  const file = path.resolve(".next/server/server-reference-manifest.json");
  const { node } = JSON.parse(readFileSync(file, "utf8")) as Manifest;
  const found = Object.entries(node).find(([, action]) => action.exportedName === name);
  if (!found) throw new Error(`The server has no action ${name}`);
  return found[0];
}
