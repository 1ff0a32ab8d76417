import { expect, test } from "vitest";
import { queryAs } from "@/lib/gateway/execute";
import { makeSite, send } from "@/lib/testing/world";
import { listFromQuery } from "./list-of";

const NOW = new Date("2025-03-12T15:30:00Z");

test("hosts, languages, screens and all campaign fields are lists with names, the range before, and the filters of the view", async () => {
  const site = await makeSite();
  const seen = [
    { day: "11", path: "/?utm_term=shoes", address: "198.51.100.1", language: "de-AT" },
    { day: "12", path: "/?utm_term=shoes", address: "198.51.100.1", language: "de-AT" },
    { day: "12", path: "/?utm_content=red", address: "198.51.100.2", language: "en" },
    { day: "12", path: "/plain", address: "198.51.100.3", language: "en" },
  ];
  for (const { day, path, address, language } of seen) {
    const event = { name: "pageview", url: `https://${site.host}${path}`, language, screen: "1920x1080" };
    await send(site, event, { at: new Date(`2025-03-${day}T09:00:00Z`), address });
  }
  const as = queryAs({ kind: "owner", personId: site.ownerId });
  const listOf = async (query: string) => {
    const searchParams = new URLSearchParams(`from=2025-03-12&to=2025-03-12&${query}`);
    const { rows } = await listFromQuery({ as, siteId: site.id, now: NOW }, searchParams);
    return rows.map(({ text, visitors, before }) => [text, visitors, before]);
  };
  expect(await listOf("list=language")).toEqual([
    ["English", 2, 0],
    ["German (Austria)", 1, 1],
  ]);
  expect(await listOf("list=hostname")).toEqual([[site.host, 3, 1]]);
  expect(await listOf("list=screen")).toHaveLength(1);
  // Visits without the field are no row.
  expect(await listOf("list=utm_term")).toEqual([["shoes", 1, 1]]);
  expect(await listOf("list=utm_content&compare=none")).toEqual([["red", 1, undefined]]);
  expect(await listOf('list=utm_term&filters={"utm_content":"red"}')).toEqual([]);
  await expect(listOf("list=moon")).rejects.toMatchObject({ code: "invalid_input" });
});
