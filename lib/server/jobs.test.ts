import { expect, test } from "vitest";
import { JOBS } from "@/lib/server/jobs";
import { makeSite } from "@/lib/testing/world";

test("every job runs in several processes at once, beside all the others, without harm", async () => {
  await Promise.all(Array.from({ length: 3 }, () => makeSite()));
  const now = new Date();
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
});
