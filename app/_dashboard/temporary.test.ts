import { expect, test } from "vitest";
import { temporaryMessage } from "@/app/_dashboard/temporary";
import { invalidInput, Refusal } from "@/lib/platform/errors";

test("a report that may work at the next try says so to people, without the words for programs", () => {
  const spent =
    "The report time of example.com is used up (20 seconds a minute); continue after the time in Retry-After, with shorter ranges.";
  const long =
    "This report took longer than 20 seconds; ask for a shorter range, fewer dimensions, or repeat the call later.";
  const broken = "Reports are being restarted; repeat the call after the time in Retry-After.";
  expect([
    temporaryMessage(new Refusal("rate_limited", spent, {}, 12)),
    temporaryMessage(new Refusal("unavailable", long, undefined, 10)),
    temporaryMessage(new Refusal("unavailable", broken, undefined, 1)),
    temporaryMessage(new Refusal("unavailable", "The database cannot be reached just now; repeat the same call soon.")),
  ]).toEqual([
    "Your reports have used up their time for this minute. Try again in 12 seconds.",
    "This report took longer than 20 seconds. Try again in 10 seconds, or choose a shorter range or fewer filters.",
    "Reports are being restarted. Try again in 1 second.",
    "The database cannot be reached just now. Try again in a moment.",
  ]);
});

test("a report that is refused for its input is not offered again", () => {
  expect(temporaryMessage(invalidInput([{ path: "from", message: "must be a date" }]))).toBeNull();
  expect(temporaryMessage(new Refusal("not_found", "The site has no segment 7."))).toBeNull();
});
