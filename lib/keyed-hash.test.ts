import { createHmac } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { keyedHash, keyedNumber } from "@/lib/keyed-hash";

test("a keyed hash is the HMAC-SHA256 that Node makes, for any key and any text, again and again", () => {
  const keys = fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes));
  const texts = fc.array(fc.oneof(fc.string({ unit: "binary", maxLength: 3000 }), fc.string({ maxLength: 40 })));
  fc.assert(
    fc.property(keys, texts, (key, several) => {
      for (const text of several) {
        const expected = createHmac("sha256", key).update(text).digest();
        expect(keyedHash(key, text)).toEqual(expected);
        expect(keyedHash(key, Buffer.from(text))).toEqual(expected);
        expect(keyedNumber(key, text)).toBe(`${expected.readBigInt64BE(0)}`);
      }
    }),
  );
});

test("a key that HMAC would hash first is refused", () => {
  expect(() => keyedHash(Buffer.alloc(65), "text")).toThrow(RangeError);
});
