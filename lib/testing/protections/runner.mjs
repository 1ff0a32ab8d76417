import { createVitest } from "vitest/node";

/**
 * Runs tests of the working tree in which it is started, in the quick tier, each time that the process that started it asks.
 * It keeps Vitest, and the modules that have not changed, from one run to the next.
 */

const vitest = await createVitest("test", { watch: false, maxWorkers: 1, reporters: [{}] });
await vitest.standalone();
const project = vitest.getRootProject();

/** The files that were changed for the last run, which are as before again. */
let restored = [];

process.on("message", async ({ changed, files, titles }) => {
  for (const file of [...restored, ...changed]) vitest.invalidateFile(inTree(file));
  restored = changed;
  vitest.setGlobalTestNamePattern(new RegExp(titles.map(asPattern).join("|")));
  const specifications = files.map((file) => project.createSpecification(inTree(file)));
  const { unhandledErrors } = await vitest.runTestSpecifications(specifications);
  // The result of a run lists the files of earlier ones too.
  const ran = specifications.flatMap(({ testModule = [] }) => testModule);
  process.send({
    tests: ran
      .flatMap((file) => [...file.children.allTests()].map(reportOf))
      .filter(({ state }) => state !== "skipped"),
    errors: [...ran.flatMap((file) => file.errors()), ...unhandledErrors].map(
      ({ name, message }) => `${name}: ${message}`,
    ),
  });
});
process.on("disconnect", () => vitest.exit(true));
process.send("ready");

const inTree = (file) => `${process.cwd()}/${file}`;
const asPattern = (title) => title.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);

/** @returns its title after those of the groups that it is in, how it ended, and the stacks of its errors. */
function reportOf(test) {
  const { state, errors = [] } = test.result();
  return {
    fullName: test.fullName.replaceAll(" > ", " "),
    state,
    failures: errors.map(({ stack, name, message }) => stack ?? `${name}: ${message}`),
  };
}
