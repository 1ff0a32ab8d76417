import { afterAll, beforeAll, expect, test } from "vitest";
import { failuresIn, runConformance } from "@/lib/testing/conformance";
import { type McpServerOfTest, serveMcp, siteWithAssistant } from "@/lib/testing/mcp";

/** The endpoint before the conformance suite of MCP, with our own tools. */

let server: McpServerOfTest;
beforeAll(async () => {
  const { token } = await siteWithAssistant();
  server = await serveMcp({ token });
});
afterAll(() => server.stop());

/** Checks that need what we do not have. With fixtures in their place, conformance.full.test.ts runs them too. */
const NO_PROMPTS_AND_RESOURCES = [
  "caching: sep-2549-prompts-list-caching-hints",
  "caching: sep-2549-resources-list-caching-hints",
  "caching: sep-2549-resources-templates-list-caching-hints",
];
const NO_TOOLS_THAT_TEST_CLIENTS = [
  "server-stateless: sep-2575-http-server-no-independent-requests-on-stream",
  "server-stateless: sep-2575-missing-capability-http-400",
  "server-stateless: sep-2575-server-no-log-without-loglevel",
  "server-stateless: sep-2575-server-rejects-undeclared-capability",
];

test.each<[revision: string, scenario: string, failures: string[]]>([
  ["2026-07-28", "server-stateless", NO_TOOLS_THAT_TEST_CLIENTS],
  ["2026-07-28", "tools-list", []],
  ["2026-07-28", "caching", NO_PROMPTS_AND_RESOURCES],
  ["2026-07-28", "http-header-validation", []],
  ["2026-07-28", "dns-rebinding-protection", []],
  ["2025-11-25", "server-initialize", []],
])(
  "revision %s: the endpoint conforms in %s, except for what it does not have",
  async (revision, scenario, failures) => {
    const args = ["--url", server.url, "--spec-version", revision, "--scenario", scenario];
    const checks = await runConformance(["server", ...args]);
    expect(failuresIn(checks)).toEqual(failures);
    expect(checks[scenario]?.some(({ status }) => status === "SUCCESS")).toBe(true);
  },
);
