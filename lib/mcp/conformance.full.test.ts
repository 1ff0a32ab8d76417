import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { failuresIn, runConformance } from "@/lib/testing/conformance";
import { serveMcp, siteWithAssistant } from "@/lib/testing/mcp";
import { fixtureServer } from "@/lib/testing/mcp-fixtures";

const REVISION = "2026-07-28";
const requirements = readFileSync(
  `node_modules/@modelcontextprotocol/conformance/requirements/${REVISION}.yaml`,
  "utf8",
);

/** The scenarios that the revision requires of servers. The suite runs others too: extensions, and those that nobody passes. */
const required = [...(/^server:\n((?: +- .*\n)+)/m.exec(requirements)?.[1] ?? "").matchAll(/- (\S+)/g)].map(
  ([, scenario = ""]) => scenario,
);

test("with fixtures in place of our tools, the endpoint meets every requirement of its revision", async ({
  onTestFinished,
}) => {
  const { token } = await siteWithAssistant();
  const server = await serveMcp({ token, serverOf: fixtureServer });
  onTestFinished(server.stop);
  const checks = await runConformance(["server", "--url", server.url, "--requirements", REVISION]);
  expect(required).toHaveLength(37);
  expect(Object.keys(checks)).toEqual(expect.arrayContaining(required));
  const ofRequired = Object.fromEntries(required.map((scenario) => [scenario, checks[scenario] ?? []]));
  expect(failuresIn(ofRequired)).toEqual([]);
});
