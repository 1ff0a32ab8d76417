import { expect, test } from "vitest";
import { closeDays } from "@/lib/analytics/close-days";
import { db } from "@/lib/db";
import { databaseForTests } from "@/lib/testing/database";
import { makeSite, send } from "@/lib/testing/world";

databaseForTests();

const NOW = new Date("2025-03-17T11:20:00Z");
const minutesLater = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);

/** A run that has time for so many steps: one is a site, another each day of it. */
function steps(count: number): () => boolean {
  let left = count;
  return () => left-- > 0;
}

const closedSites = async (): Promise<number[]> => {
  const rows = await db().$queryRaw<{ id: number }[]>`
    SELECT DISTINCT site_id AS id FROM facts.sealed WHERE length = 1 ORDER BY 1`;
  return rows.map(({ id }) => id);
};

test("closing days reaches every site however many there are, and a site that fails delays only itself", async () => {
  const sites: number[] = [];
  for (let n = 0; n < 6; n++) {
    const site = await makeSite();
    await send(site, "/", { at: "2025-03-16T10:00:00Z" });
    sites.push(site.id);
  }
  const [failing = 0, ...sound] = sites;
  // A zone that neither Node nor Postgres knows.
  await db().site.update({ where: { id: failing }, data: { timezone: "Mars/Olympus_Mons" } });

  // Time for two sites with one day each; the failing one has the lowest id and takes part of the first run only.
  await closeDays(NOW, steps(4));
  expect(await closedSites()).toEqual(sound.slice(0, 2));
  await closeDays(minutesLater(1), steps(4));
  expect(await closedSites()).toEqual(sound.slice(0, 4));
  await closeDays(minutesLater(2), steps(4));
  expect(await closedSites()).toEqual(sound);

  const turn = () => db().closingTurn.findUniqueOrThrow({ where: { siteId: failing } });
  expect(await turn()).toMatchObject({ failures: 1, retryAt: minutesLater(5) });
  await closeDays(minutesLater(5));
  expect(await turn()).toMatchObject({ failures: 2, retryAt: minutesLater(15) });

  await db().site.update({ where: { id: failing }, data: { timezone: "UTC" } });
  await closeDays(minutesLater(14));
  expect(await closedSites()).toEqual(sound);
  await closeDays(minutesLater(15));
  expect(await closedSites()).toEqual(sites);
  expect(await turn()).toMatchObject({ failures: 0, retryAt: null });
});
