import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";

/** The programs that documented shell may use: what a plain image has beside a shell, and curl with its certificates. */
export const PLAIN_TOOLS = [
  ...[
    "cat",
    "curl",
    "cut",
    "date",
    "dd",
    "grep",
    "head",
    "mkdir",
    "mv",
    "od",
    "openssl",
    "printf",
    "rm",
    "sed",
    "sleep",
  ],
  ...["sort", "tail", "tr", "wc"],
] as const;

/** Makes a folder for `PATH` that holds only the plain tools. */
export function plainPath(folder: string): string {
  const bin = path.join(folder, "plain-bin");
  mkdirSync(bin);
  for (const tool of PLAIN_TOOLS) symlinkSync(whereIs(tool), path.join(bin, tool));
  return bin;
}

function whereIs(tool: string): string {
  const found = (process.env.PATH ?? "").split(":").find((folder) => existsSync(path.join(folder, tool)));
  if (!found) throw new Error(`This machine has no ${tool}, which the documented shell needs`);
  return path.join(found, tool);
}
