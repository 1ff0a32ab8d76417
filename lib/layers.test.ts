import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

/** Checks the import graph between folders, without tests. `app` counts as one folder. */

const files = ["app", "components", "lib"]
  .flatMap((root) => readdirSync(root, { recursive: true }).map((name) => path.join(root, `${name}`)))
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.ts$/.test(file) && !file.startsWith("lib/testing/"));

const folderOf = (file: string) => (file.startsWith("app/") ? "app" : path.dirname(file));

function fileOf(importer: string, name: string): string | undefined {
  const target = name.startsWith("@/") ? name.slice(2) : path.join(path.dirname(importer), name);
  const spellings = [target, `${target}.ts`, `${target}.tsx`];
  return spellings.find((file) => existsSync(file) && statSync(file).isFile());
}

/** Imports between folders as `importer -> imported`, by importing and imported folder. */
const edges = new Map<string, Map<string, string[]>>();
for (const file of files) {
  for (const [, name = ""] of readFileSync(file, "utf8").matchAll(/(?:from|import)\s*\(?\s*"((?:@|\.\.?)\/[^"]+)"/g)) {
    const imported = fileOf(file, name);
    const [from, to] = [folderOf(file), imported && folderOf(imported)];
    if (!imported || !to || from === to || !/^(app|components|lib)\b/.test(to)) continue;
    const others = edges.get(from) ?? new Map<string, string[]>();
    edges.set(from, others.set(to, [...(others.get(to) ?? []), `${file} -> ${imported}`]));
  }
}

/** Returns the groups of folders that import each other, directly or indirectly (Tarjan 1972). */
function cycles(): string[][] {
  const found: string[][] = [];
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  function visit(folder: string): void {
    order.set(folder, order.size);
    lowest.set(folder, order.get(folder) as number);
    stack.push(folder);
    for (const next of edges.get(folder)?.keys() ?? []) {
      if (!order.has(next)) visit(next);
      if (stack.includes(next)) {
        lowest.set(folder, Math.min(lowest.get(folder) as number, lowest.get(next) as number));
      }
    }
    if (lowest.get(folder) !== order.get(folder)) return;
    const component = stack.splice(stack.indexOf(folder));
    if (component.length > 1) found.push(component);
  }
  for (const folder of edges.keys()) if (!order.has(folder)) visit(folder);
  return found;
}

test("there are no import cycles between folders", () => {
  const imports = cycles().map((folders) =>
    folders.flatMap((from) => folders.flatMap((to) => edges.get(from)?.get(to)?.slice(0, 3) ?? [])),
  );
  expect(imports).toEqual([]);
});

test("imports point down: app imports components, components import lib", () => {
  const up = [...edges].flatMap(([from, others]) =>
    [...others].flatMap(([to, imports]) => {
      const layers = ["lib", "components", "app"];
      const [layer, above] = [from, to].map((folder) => layers.indexOf(folder.split("/")[0] ?? "")) as [number, number];
      return above > layer ? imports : [];
    }),
  );
  expect(up).toEqual([]);
  expect(files.length).toBeGreaterThan(500);
});
