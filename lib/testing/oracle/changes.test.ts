import { expect, test } from "vitest";
import { OPERATIONS } from "@/lib/operations/index";
import { databaseForTests } from "@/lib/testing/database";
import {
  checkAfterChange,
  erased,
  imported,
  noChange,
  queriedFromImports,
  reclassified,
  withOutdatedClasses,
} from "@/lib/testing/oracle/changes";
import { REPORTS } from "@/lib/testing/oracle/every-report";
import { year } from "@/lib/testing/oracle/year";

/**
 * The past of a site changes after it was queried: all reports are compared with the oracle, before and after its copy
 * is deleted.
 */

// Events beyond the retention limit are deleted for all sites.
databaseForTests();

test("no report is left out", () => {
  const reportCheck = Object.values(REPORTS).map((report) => report().tally.operation);
  expect(reportCheck.sort()).toEqual([...OPERATIONS.keys()].filter((id) => id.startsWith("analytics.")).sort());
});

test("every report agrees in years with closed days, an open day and both clock changes, after late events", () =>
  checkAfterChange({ world: year, change: noChange }));

test("every report agrees after visits have been reclassified", { tags: "full" }, () =>
  checkAfterChange({ world: year.map(withOutdatedClasses), change: reclassified }),
);

test(
  "every report agrees after a visitor, and all events beyond the retention limit, have been deleted",
  { tags: "full" },
  () => checkAfterChange({ world: year, change: erased }),
);

/** The reports that include imported days. */
const COUNT_IMPORTS = ["changes", "chart", "commerce", "events", "explore", "filterOptions", "overview"] as const;

test("every report agrees after days of another service have been imported", { tags: "full" }, () =>
  checkAfterChange({ world: year.map(queriedFromImports), change: imported, mainly: COUNT_IMPORTS }),
);
