import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { RATES } from "@/lib/platform/limits";
import { agentsArticle } from "@/lib/publish/articles/agents";
import { articleMarkdown } from "@/lib/publish/llms/markdown";
import { walkthrough } from "@/lib/publish/walkthrough";

const BASE = "http://localhost:3000";
const steps = walkthrough(BASE).flatMap((walk) => walk.steps);

test.each(steps)("docs/agents.md and the page for agents have the block to $title unchanged", ({ about, code }) => {
  const block = `${about}\n\n\`\`\`sh\n${code}\n\`\`\``;
  expect(readFileSync("docs/agents.md", "utf8")).toContain(block);
  expect(articleMarkdown(agentsArticle(BASE, RATES))).toContain(block);
});
