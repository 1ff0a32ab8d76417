import { expect, test } from "vitest";
import { hiddenSentence, trafficThatShows } from "@/components/reports/hidden-traffic";

test("hidden events are counted by class in a sentence, and one link shows all of them", () => {
  const suspicious = { traffic: "suspicious", pageviews: 24, events: 0 } as const;
  const bots = { traffic: "bot", pageviews: 1200, events: 3 } as const;
  expect(hiddenSentence([suspicious])).toBe("24 pageviews are hidden as suspicious.");
  expect(hiddenSentence([{ ...suspicious, pageviews: 1 }])).toBe("1 pageview is hidden as suspicious.");
  expect(hiddenSentence([{ traffic: "ai", pageviews: 0, events: 2 }])).toBe(
    "2 events are hidden as AI agents and crawlers.",
  );
  expect(hiddenSentence([bots, suspicious])).toBe(
    "1,200 pageviews and 3 events are hidden as bots and 24 pageviews as suspicious.",
  );
  expect([trafficThatShows([suspicious]), trafficThatShows([bots, suspicious])]).toEqual(["suspicious", "all"]);
});
