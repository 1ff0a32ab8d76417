import { readdirSync, readFileSync } from "node:fs";
import { RATES } from "@/lib/platform/limits";
import { agentTexts } from "@/lib/publish/llms/pages";
import { FRAMEWORKS, type Framework, installationFor } from "@/lib/sites/installation";

/** A block of shell in the documentation. */
export interface ShellBlock {
  /** The document, or the page of the operation. */
  where: string;
  code: string;
}

const blocksOf = (where: string, markdown: string): ShellBlock[] =>
  [...markdown.matchAll(/^```(?:sh|bash|shell|console)\n([\s\S]*?)^```/gm)].map(([, code = ""]) => ({ where, code }));

/** Returns every block of shell: of files, of the pages of the service and of what is shown to install the tracker. */
export function documentedShell(base: string): ShellBlock[] {
  const files = [
    ...readdirSync("."),
    ...readdirSync("docs", { recursive: true }).map((name) => `docs/${name}`),
    ...readdirSync(".github").map((name) => `.github/${name}`),
  ].filter((name) => name.endsWith(".md"));
  return [
    ...files.flatMap((name) => blocksOf(name, readFileSync(name, "utf8"))),
    ...[...agentTexts(base, RATES)].flatMap(([path, text]) => blocksOf(path, text)),
    ...(Object.keys(FRAMEWORKS) as Framework[]).flatMap((framework) =>
      installationFor(framework, { baseUrl: base, domain: "example.com", name: "example.com" }).code.flatMap(
        ({ language, content, file }) =>
          ["sh", "bash"].includes(language) ? [{ where: `${framework} ${file}`, code: content }] : [],
      ),
    ),
  ];
}
