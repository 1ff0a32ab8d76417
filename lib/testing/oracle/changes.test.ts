import { expect, test } from "vitest";
import { OPERATIONS } from "@/lib/operations/index";
import { databaseForTests } from "@/lib/testing/database";
import {
  agreeAfter,
  asksFromImports,
  erased,
  imported,
  misjudged,
  nothingElse,
  reclassified,
} from "@/lib/testing/oracle/changes";
import { REPORTS } from "@/lib/testing/oracle/every-report";
import { year } from "@/lib/testing/oracle/year";

/** The past of a site changes after it was queried: all reports are compared with the oracle, before and after its copy is deleted. */

// Events beyond the retention limit are deleted for all sites.
databaseForTests();

const MINUTES = 60_000;

test("no report is left out", () => {
  const held = Object.values(REPORTS).map((report) => report().tally.operation);
  expect(held.sort()).toEqual([...OPERATIONS.keys()].filter((id) => id.startsWith("analytics.")).sort());
});

test(
  "every report agrees in years with closed days, an open day and both clock changes, after late events",
  () => agreeAfter({ world: year, change: nothingElse }),
  3 * MINUTES,
);

test(
  "every report agrees after visits have been reclassified",
  () => agreeAfter({ world: year.map(misjudged), change: reclassified }),
  3 * MINUTES,
);

test(
  "every report agrees after a visitor, and all people beyond the retention limit, have been erased",
  () => agreeAfter({ world: year, change: erased }),
  3 * MINUTES,
);

/** The reports in which days of another service count. */
const COUNT_IMPORTS = ["chart", "commerce", "events", "explore", "filterOptions", "overview"] as const;

test(
  "every report agrees after days of another service have been imported",
  () => agreeAfter({ world: year.map(asksFromImports), change: imported, plainly: COUNT_IMPORTS }),
  3 * MINUTES,
);
