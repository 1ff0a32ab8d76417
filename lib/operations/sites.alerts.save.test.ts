import { expect, test } from "vitest";
import { changedValueInWords, changeInWords } from "@/lib/gateway/change-words";
import { call, summaryOf } from "@/lib/testing/calls";
import { makeSite } from "@/lib/testing/world";
import { inLanguage } from "@/lib/texts/in-language";

test("a human approves each filter of an alert rule in their own language, with the names of countries and all other values as they were sent", async () => {
  const { id: siteId, ownerId } = await makeSite();
  const rule = { site_id: siteId, name: "R", metric: "revenue", condition: "above", threshold: 1, span: "day" };
  const before = { country: "FR", "prop:plan": { is_not: "pro" }, "goal:Signup": "no" };
  const { id } = await call(ownerId, "sites.alerts.save", { ...rule, filters: before, channels: [] });
  const filters = { country: ["FR", "DE"], city: "", title: { starts_with: "is “a”" }, "goal:Signup": "true" };
  const change = { ...rule, id, goal: "Signup", metric: "conversions", filters, channels: [] };
  const lines = (await summaryOf(ownerId, siteId, "sites.alerts.save", change)) ?? [];
  const inGerman = inLanguage("de", () =>
    lines.map(({ label, before, after }) => [
      changeInWords(label),
      ...[before, after].map((text) => text && changedValueInWords(label, text)),
    ]),
  );
  expect(inGerman).toContainEqual([
    "Bedingung",
    expect.stringMatching(/^Umsatz über .+ an einem Tag$/),
    expect.stringMatching(/^Conversions von Signup über 1/),
  ]);
  expect(inGerman.filter(([label]) => label?.startsWith("Filter"))).toEqual([
    ["Filter: Land", "ist „Frankreich“", "ist „Frankreich“, „Deutschland“"],
    ["Filter: Eigenschaft plan", "ist nicht „pro“", "Keine"],
    ["Filter: Ziel Signup", "Nicht erreicht", "Erreicht"],
    ["Filter: Stadt", "Keine", "ist „(unbekannt)“"],
    ["Filter: Titel", "Keine", "beginnt mit „is “a”“"],
  ]);
});
