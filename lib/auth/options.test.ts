import { expect, test } from "vitest";
import { createPerson } from "@/lib/auth/create-person";
import { authOptions } from "@/lib/auth/options";
import { ownerOfSession } from "@/lib/auth/session-row";
import { signIn } from "@/lib/auth/sign-in";

test("signing out revokes the session's row", async () => {
  const email = `${crypto.randomUUID()}@example.com`;
  const now = new Date();
  await createPerson({ email, password: "correct horse battery" }, now);
  const signedIn = await signIn({ email, password: "correct horse battery", address: crypto.randomUUID() }, now);
  const sid = signedIn?.sid ?? "";
  expect(await ownerOfSession(sid, now)).not.toBeNull();
  await authOptions().events?.signOut?.({ token: { sid }, session: {} as never });
  expect(await ownerOfSession(sid, now)).toBeNull();
});

test("redirects stay on this origin", async () => {
  const redirect = authOptions().callbacks?.redirect;
  const baseUrl = "http://localhost:3000";
  expect(await redirect?.({ url: "/sites", baseUrl })).toBe("http://localhost:3000/sites");
  for (const url of [
    ...["https://evil.example/", "//evil.example", "http://localhost:3000.evil.example/", "http://", "https:evil"],
    ...["//evil", "\\\\evil", "/\\evil", "javascript:x"],
  ]) {
    expect(await redirect?.({ url, baseUrl })).toBe(baseUrl);
  }
  expect(await redirect?.({ url: "\\evil", baseUrl })).toBe(`${baseUrl}/evil`);
});
