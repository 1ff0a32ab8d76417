import { readdirSync } from "node:fs";
import path from "node:path";

const OWNER = "app/(owner)";

/** The paths of all pages of owners that have no id in their path. */
export const OWNER_PATHS: readonly string[] = readdirSync(OWNER, { recursive: true })
  .map((name) => path.join("/", `${name}`))
  .filter((name) => name.endsWith("/page.tsx") && !name.includes("["))
  .map((name) => path.dirname(name));
