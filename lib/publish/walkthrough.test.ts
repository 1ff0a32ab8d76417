import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { RATES } from "@/lib/platform/limits";
import { llms } from "@/lib/publish/llms";
import { walkthrough } from "@/lib/publish/walkthrough";

const BASE = "http://localhost:3000";
const steps = walkthrough(BASE).flatMap((walk) => walk.steps);

test.each(steps)("docs/agents.md and llms.txt hold the block to $title as it is", ({ about, code }) => {
  const block = `${about}\n\n\`\`\`sh\n${code}\n\`\`\``;
  expect(readFileSync("docs/agents.md", "utf8")).toContain(block);
  expect(llms(BASE, RATES)).toContain(block);
});
