import path from "node:path";
import { defineConfig } from "@playwright/test";
import stories from "../playwright.config";

/** `npm run screenshots`: what people see, on a phone and on a desk, by day and by night, for somebody to look at. */
export default defineConfig({
  ...stories,
  testDir: import.meta.dirname,
  testMatch: "pages.ts",
  outputDir: path.resolve(import.meta.dirname, "../../test-results/screenshots"),
  // One demo for all of them.
  fullyParallel: false,
  workers: 1,
  timeout: 900_000,
  reporter: [["list"]],
});
