import { createVitest } from "vitest/node";

/**
 * Runs tests of the working tree in which it is started, in the quick tier, each time that the process that started it asks.
 * It keeps Vitest, and the modules that have not changed, from one run to the next.
 */

/** The files of the current run: the result of Vitest lists those of earlier ones too. */
let ran = [];
const reporter = { onTestModuleEnd: (file) => ran.push(file) };

const vitest = await createVitest("test", { watch: false, maxWorkers: 1, reporters: [reporter] });
await vitest.standalone();
const project = vitest.getRootProject();

/** The files that were changed for the last run, which are as before again. */
let restored = [];

process.on("message", async ({ changed, files, titles }) => {
  for (const file of [...restored, ...changed]) vitest.invalidateFile(inTree(file));
  restored = changed;
  ran = [];
  vitest.setGlobalTestNamePattern(new RegExp(titles.map(asPattern).join("|")));
  const { unhandledErrors } = await vitest.runTestSpecifications(
    files.map((file) => project.createSpecification(inTree(file))),
  );
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
