import { expect, test } from "vitest";
import { asSent, rounded } from "@/lib/analytics/money/amounts";

test("amounts are rounded to the places of their currency, halves away from zero", () => {
  expect(rounded("0.005", "EUR")).toBe("0.01");
  expect(rounded("-0.005", "EUR")).toBe("-0.01");
  expect(rounded("-0.004", "EUR")).toBe("0.00");
  expect(rounded("12.5", "JPY")).toBe("13");
  expect(rounded("3.1245", "BHD")).toBe("3.125");
  expect(rounded(null, "EUR")).toBe("0.00");
});

test("a half stays a half after conversions that leave less than a trillionth", () => {
  expect(rounded("0.004999999999999", "EUR")).toBe("0.01");
  expect(rounded("0.00499999999", "EUR")).toBe("0.00");
});

test("an amount is divided exactly, also where a double has not enough digits", () => {
  expect(rounded("90071992547409930.01", "EUR", 2)).toBe("45035996273704965.01");
  expect(rounded("1", "EUR", 3)).toBe("0.33");
});

test("an amount in its own currency keeps all places that were sent", () => {
  expect(asSent("7.500000000", "KES")).toEqual({ amount: "7.50", currency: "KES" });
  expect(asSent("1.005000000", "EUR")).toEqual({ amount: "1.005", currency: "EUR" });
  expect(asSent("12.000000000", "JPY")).toEqual({ amount: "12", currency: "JPY" });
});
