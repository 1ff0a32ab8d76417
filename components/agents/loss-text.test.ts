import { expect, test } from "vitest";
import { describeLoss } from "@/components/agents/loss-text";

const LOSS = { events: 12_345, more: false, since: "2026-08-20", days: 93 };

test.each([
  [LOSS, "Deletes 12,345 events of 3 months, since Aug 20, 2026."],
  [{ ...LOSS, events: 1, days: 1 }, "Deletes 1 event of 1 day, since Aug 20, 2026."],
  [{ ...LOSS, events: 1_000_000, more: true }, "Deletes more than 1,000,000 events of 3 months, since Aug 20, 2026."],
  [{ ...LOSS, events: 0 }, "Deletes the imported data of 3 months, since Aug 20, 2026."],
  [{ events: 0, more: false, since: null, days: 0 }, "No data is stored that this deletes."],
])("the loss %j is said in a sentence", (loss, sentence) => {
  expect(describeLoss(loss)).toBe(sentence);
});
