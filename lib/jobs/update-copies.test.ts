import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { updateCopies } from "@/lib/jobs/update-copies";
import { db } from "@/lib/platform/db";
import { databaseForTests } from "@/lib/testing/database";
import { makeSite, send } from "@/lib/testing/world";

// The job processes all sites, so this test has its own database.
const installation = databaseForTests();

const NOW = new Date("2025-03-17T04:00:00Z");

test("busy sites get a copy before the first report, and a run that is out of time is continued by the next", async () => {
  const sites = [await makeSite(), await makeSite(), await makeSite(), await makeSite()];
  const [quiet, ...busy] = sites;
  for (const site of sites) await send(site, "/", { at: "2025-03-16T10:00:00Z" });
  for (const site of busy) {
    await db().$executeRaw`
      INSERT INTO facts.intake (site_id, day, outcome, reason, events) VALUES (${site.id}, '2025-03-16', 'stored', '', 20000)
      ON CONFLICT (site_id, day, outcome, reason) DO UPDATE SET events = 20000`;
  }
  const copied = () => {
    const names = readdirSync(installation.analyticsFolder);
    return sites.map(({ id }) => names.some((name) => name.startsWith(`${id}.`)));
  };
  let left = 2;
  await updateCopies(NOW, () => left-- > 0);
  expect(copied()).toEqual([false, true, true, false]);
  left = 1;
  await updateCopies(NOW, () => left-- > 0);
  expect(copied()).toEqual([false, true, true, true]);
  await updateCopies(NOW);
  expect(copied()).toEqual([false, true, true, true]);
  expect(quiet).toBeDefined();
});
