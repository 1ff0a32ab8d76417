import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { readEnv } from "@/lib/platform/env";
import { bootSecrets, derivedKey, freshSecret, seal, unseal } from "@/lib/platform/secrets";
import { TEST_SECRETS } from "@/lib/testing/world";

const use = (secrets: string) => bootSecrets(readEnv({ APP_SECRETS: secrets }));

test("sealed bytes open only with the same context and only unchanged", () => {
  const sealed = seal(Buffer.from("a seed"), "totp:1");
  expect(unseal(sealed, "totp:1").toString()).toBe("a seed");
  expect(() => unseal(sealed, "totp:2")).toThrow();
  for (let i = 0; i < sealed.length; i++) {
    const broken = Buffer.from(sealed);
    broken[i] = (broken[i] as number) ^ 1;
    expect(() => unseal(broken, "totp:1"), `byte ${i}`).toThrow();
  }
});

test("the first key seals, older keys still open, and a removed key does not", () => {
  const [older, newer] = [`k1:${randomBytes(32).toString("base64")}`, `k2:${randomBytes(32).toString("base64")}`];
  try {
    use(older);
    const before = seal(Buffer.from("x"), "p");
    use(`${newer},${older}`);
    const after = seal(Buffer.from("y"), "p");
    expect([unseal(before, "p").toString(), unseal(after, "p").toString()]).toEqual(["x", "y"]);
    use(newer);
    expect(unseal(after, "p").toString()).toBe("y");
    expect(() => unseal(before, "p")).toThrow("k1");
  } finally {
    use(TEST_SECRETS);
  }
});

test("derived keys are deterministic and differ by purpose", () => {
  expect(derivedKey("a")).toEqual(derivedKey("a"));
  expect(derivedKey("a")).not.toEqual(derivedKey("b"));
});

test("a fresh secret has 256 bits and is URL-safe", () => {
  expect(freshSecret()).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(freshSecret()).not.toBe(freshSecret());
});
