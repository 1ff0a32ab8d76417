import { expect, test } from "vitest";
import { addMonths, JOBS } from "@/lib/jobs/jobs";
import { DAY_MS } from "@/lib/platform/durations";
import { databaseForTests } from "@/lib/testing/database";
import { dnsForTests } from "@/lib/testing/internet";
import { rowsOf } from "@/lib/testing/rows";
import { makeSite, send } from "@/lib/testing/world";

// Jobs process all sites, so this test has its own database.
databaseForTests();
// They fetch from names that nobody has.
dnsForTests();

test("every job can run in several processes at once, in parallel with all others", async () => {
  const now = new Date();
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS);
  await addMonths(daysAgo(9));
  const sites = await Promise.all(Array.from({ length: 3 }, () => makeSite()));
  await Promise.all(sites.flatMap((site) => [9, 3, 2].map((days) => send(site, "/", { at: daysAgo(days) }))));
  for (let round = 0; round < 5; round++) {
    const runs = JOBS.flatMap(({ name, run }) =>
      Array.from({ length: 2 }, () =>
        run(now).then(
          () => [],
          (error) => [`${name}: ${error}`],
        ),
      ),
    );
    expect((await Promise.all(runs)).flat()).toEqual([]);
  }
  // Each job had work to do and did it once.
  const visits = await rowsOf`SELECT sum(pageviews)::int AS pageviews FROM facts.visit`;
  expect(visits).toEqual([{ pageviews: 9 }]);
});
