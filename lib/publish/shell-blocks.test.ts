import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { documentedShell } from "@/lib/testing/documented-shell";
import { PLAIN_TOOLS } from "@/lib/testing/plain-tools";
import { programsOf } from "@/lib/testing/shell-programs";
import { temporaryDir } from "@/lib/testing/temporary-dir";

/** Every block of shell in the documentation: it parses, and needs only what a plain image has. */

const BLOCKS = documentedShell("https://stats.example.com");

/** Beside the plain tools: what the shell itself does. */
const BUILTINS = ["[", "break", "echo", "umask"];
/** Other programs, with the blocks that need them and why. */
const EXCEPTIONS: readonly [program: string, where: RegExp, why: string][] = [
  ["claude", /^\/docs\/connect\.md/, "is the assistant that the reader connects"],
  [
    "npm",
    /^(README|CONTRIBUTING|docs\/(operating|growing))\.md|^\/docs\/(export|measurement-protocol)\.md|^\/llms-full\.txt/,
    "runs this service",
  ],
  ["npx", /^CONTRIBUTING\.md/, "runs the tests of this service"],
];

test("every documented block of shell parses", ({ onTestFinished }) => {
  const folder = temporaryDir(onTestFinished);
  const codes = [...new Set(BLOCKS.map(({ code }) => code))];
  for (const [index, code] of codes.entries()) writeFileSync(path.join(folder, `${index}`), code);
  // One shell starts those that parse: a process of this large one takes ten times as long.
  const faulty = execFileSync("sh", ["-c", 'for block in *; do sh -n "$block" || echo "$block"; done'], {
    cwd: folder,
    encoding: "utf8",
  });
  expect(
    faulty.split("\n").flatMap((index) => BLOCKS.filter(({ code }) => code === codes[Number(index || -1)])),
  ).toEqual([]);
  expect(codes.length).toBeGreaterThan(100);
});

/** The blocks of each document as one script: later ones use the functions of earlier ones. */
const scripts = new Map<string, string>();
for (const { where, code } of BLOCKS) scripts.set(where, `${scripts.get(where) ?? ""}${code}\n`);

test("documented shell needs only the tools of a plain image, or has a reason", () => {
  const allowed = new Set<string>([...PLAIN_TOOLS, ...BUILTINS]);
  const used = new Set<string>();
  const faults = [...scripts].flatMap(([where, script]) =>
    programsOf(script).flatMap((program) => {
      const exception = EXCEPTIONS.find(([name, place]) => name === program && place.test(where));
      if (exception) used.add(exception[0]);
      return allowed.has(program) || exception ? [] : [`${where}: ${program}`];
    }),
  );
  expect(faults).toEqual([]);
  expect([...used].sort()).toEqual(EXCEPTIONS.map(([program]) => program).sort());
});

test.each([
  ["KEY=$(uuidgen)  # new for each change", ["uuidgen"]],
  ['curl -H "X: $(openssl rand -hex 8 | tr -d x)" -d \'{"a":"jq"}\'', ["curl", "openssl", "tr"]],
  ['field() { sed -n "s/x/y/p" "$1"; }\nfield a | python3 -', ["python3", "sed"]],
  ["while sleep 5; do\n  case $(cat x) in\n    pending) ;;\n    *) break ;;\n  esac\ndone", ["break", "cat", "sleep"]],
  ["A=1 B='x y' node -e 1 > out 2>&1 && cat out # uuidgen", ["cat", "node"]],
  ["if grep -q a b; then echo $((1 + 2)); else xxd b; fi", ["echo", "grep", "xxd"]],
])("the programs of %j are found", (script, programs) => {
  expect(programsOf(script)).toEqual(programs);
});
