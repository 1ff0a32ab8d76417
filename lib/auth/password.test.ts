import { expect, test } from "vitest";
import { checkPassword, hashPassword, newPassword, prepareDecoy } from "@/lib/auth/password";
import { processWide } from "@/lib/platform/process-wide";

test("a password matches its own hash and no other", async () => {
  const hash = await hashPassword("correct horse battery");
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$/);
  expect(await checkPassword(hash, "correct horse battery")).toBe(true);
  expect(await checkPassword(hash, "correct horse batterz")).toBe(false);
});

test("a password matches in every Unicode normalisation form", async () => {
  const composed = "caf\u00e9 au lait s'il vous pla\u00eet";
  const hash = await hashPassword(composed);
  expect(await checkPassword(hash, composed.normalize("NFD"))).toBe(true);
});

test("without a hash every password is wrong, even the decoy's, and the check takes a real hash to say so", async () => {
  await checkPassword(null, "warms the decoy up");
  const started = performance.now();
  expect(await checkPassword(null, "a password that nobody has")).toBe(false);
  // Without hashing it would take microseconds.
  expect(performance.now() - started).toBeGreaterThan(10);
});

test("after boot the decoy hash exists before the first sign-in", async () => {
  await prepareDecoy();
  const missing = () => Promise.reject(new Error("There is no decoy"));
  expect(await processWide("password-decoy", missing)).toMatch(/^\$argon2id\$/);
});

test("a new password has 12 to 256 characters", () => {
  expect(newPassword.safeParse("elevenchars").success).toBe(false);
  expect(newPassword.safeParse("twelve chars").success).toBe(true);
  expect(newPassword.safeParse("é".repeat(256)).success).toBe(true);
  expect(newPassword.safeParse("x".repeat(257)).success).toBe(false);
});

test("many parallel hashes all complete", async () => {
  const hashes = await Promise.all(Array.from({ length: 8 }, (_, index) => hashPassword(`password number ${index}`)));
  expect(new Set(hashes).size).toBe(8);
});
