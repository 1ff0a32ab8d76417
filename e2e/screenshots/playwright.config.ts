import path from "node:path";
import { defineConfig } from "@playwright/test";
import base from "../playwright.config";

/** Configuration of `npm run screenshots`: pictures of every page on phone and desktop, in light and dark mode. */
export default defineConfig({
  ...base,
  testDir: import.meta.dirname,
  testMatch: "pages.ts",
  outputDir: path.resolve(import.meta.dirname, "../../test-results/screenshots"),
  // All tests share one demo server.
  fullyParallel: false,
  workers: 1,
  timeout: 900_000,
  reporter: [["list"]],
});
