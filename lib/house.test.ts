import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

/** Rules of this code base that the linter cannot check. */

const files = ["app", "bench", "components", "e2e", "lib", "prisma"]
  .flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => path.join(folder, `${name}`)))
  .filter((file) => /\.(ts|tsx|mjs)$/.test(file) && !file.startsWith("prisma/client") && statSync(file).isFile());
const sources = new Map(files.map((file) => [file, readFileSync(file, "utf8")]));
const isTest = (file: string) =>
  file.endsWith(".test.ts") || file.startsWith("e2e/") || file.startsWith("lib/testing/");

/** Returns the files whose text matches, except tests. */
const containing = (pattern: RegExp, except: (file: string) => boolean = () => false) =>
  files.filter((file) => !isTest(file) && !except(file) && pattern.test(sources.get(file) ?? ""));
const importing = (what: string, from: (file: string) => boolean) =>
  containing(new RegExp(`from "${what}`)).filter((file) => !from(file));

test("lib never imports app, components or React", () => {
  const inLib = files.filter((file) => file.startsWith("lib/"));
  const bad = inLib.filter((file) => /from "(@\/(app|components)\/|react["/])/.test(sources.get(file) ?? ""));
  expect(bad).toEqual([]);
});

test("operations never import the gateway or the entry points", () => {
  const operations = files.filter((file) => file.startsWith("lib/operations/") && !isTest(file));
  const above = operations.filter((file) => /from "@\/lib\/(api|gateway\/(?!changes\/))/.test(sources.get(file) ?? ""));
  // Deciding an approval is an operation on the gateway itself.
  expect(above).toEqual(["lib/operations/personal/approvals.decide.ts"]);
});

test("each external dependency is used in one place", () => {
  expect(importing("@prisma/", (file) => file === "lib/platform/db.ts")).toEqual([]);
  expect(importing("@/prisma/client", (file) => file === "lib/platform/db.ts")).toEqual([]);
  expect(importing("next-auth", (file) => file.startsWith("lib/auth/"))).toEqual([]);
  expect(importing("@simplewebauthn/server", (file) => file === "lib/auth/passkeys.ts")).toEqual([]);
  expect(importing("@simplewebauthn/browser", (file) => file === "lib/auth/passkey-browser.ts")).toEqual([]);
  expect(importing("node:https", (file) => file === "lib/platform/outbound/outbound.ts")).toEqual([]);
  expect(importing("node:dns", (file) => file === "lib/platform/outbound/names.ts")).toEqual([]);
  expect(importing("libphonenumber-js", (file) => file === "lib/ingest/scrubbing/contacts.ts")).toEqual([]);
  expect(importing("ibantools", (file) => file === "lib/ingest/scrubbing/payment-numbers.ts")).toEqual([]);
  expect(importing("yauzl", (file) => file === "lib/transfer/archive.ts")).toEqual([]);
  expect(importing("nodemailer", (file) => file === "lib/email/mailer.ts")).toEqual([]);
  expect(importing("@modelcontextprotocol/", (file) => file.startsWith("lib/mcp/"))).toEqual([]);
  expect(importing("recharts", (file) => file.startsWith("components/charts/"))).toEqual([]);
  expect(importing('(pdfkit|fontkit)"', (file) => file === "components/reports/pdf/paper.ts")).toEqual([]);
  expect(importing("@radix-ui/", (file) => file.startsWith("components/ui/"))).toEqual([]);
});

test("only lib/platform/env.ts reads the environment of the service", () => {
  const commands = (file: string) => file.endsWith(".mjs") || file.startsWith("bench/") || file === "prisma/config.ts";
  expect(containing(/process\.env/, (file) => file === "lib/platform/env.ts" || commands(file))).toEqual([]);
});

test("pages write by /actions: there are no Server Actions, and one function reads a refusal for all forms", () => {
  expect(containing(/^\s*"use server"/m)).toEqual([]);
  expect(containing(/\bproblemsOf\(/, (file) => file === "components/ui/form-problems.ts")).toEqual([
    "components/actions/actions.tsx",
  ]);
});

test("no SQL is concatenated from text", () => {
  expect(containing(/RawUnsafe/)).toEqual([]);
  expect(containing(/Prisma\.raw\(/)).toEqual([]);
  // raw gets only names of our own code; those of the analytics engine are all over its statements, which write nothing.
  const isAnalytics = (file: string) => file.startsWith("lib/analytics/");
  expect(containing(/\braw\b[^;]*from "@\/lib\/platform\/sql"/, isAnalytics).sort()).toEqual([
    "lib/ingest/store/erase.ts",
    "lib/operations/analytics.explore.ts",
    "lib/transfer/event-pages.ts",
  ]);
});

/** Where `queriesIn` runs statements on facts with Prisma. */
const BRIDGE = "lib/platform/db.ts";

test("statements on facts go through a pool, not through Prisma", () => {
  expect(containing(/\$(queryRaw|executeRaw)\b[^`;]*`[^`]*\bfacts\b/)).toEqual([]);
  expect(containing(/\bPrisma\.sql`[^`]*\bfacts\./)).toEqual([]);
  expect(containing(/\bnew Prisma\.Sql\(/)).toEqual([BRIDGE]);
  expect(containing(/\bqueriesIn\(/).sort()).toEqual([
    "lib/operations/sites.imports.delete.ts",
    "lib/sites/privacy.ts",
    "lib/sites/tracking-tests.ts",
  ]);
});

test("only lib/ingest/store writes facts", () => {
  const writes = containing(/\b(INSERT INTO|UPDATE|DELETE FROM|MERGE INTO|TRUNCATE|COPY)\s+"?facts\b/i);
  // Benchmarks fill their own databases.
  expect(writes.filter((file) => !/^(lib\/ingest\/store|bench)\//.test(file))).toEqual([]);
});

test("only the gateway writes audit rows and locks sites", () => {
  const inGateway = (file: string) => file.startsWith("lib/gateway/");
  expect(containing(/\baudit\.(create|createMany|update|updateMany|upsert|delete|deleteMany)\(/, inGateway)).toEqual(
    [],
  );
  expect(containing(/FROM site\b[^`]*FOR (NO KEY )?UPDATE|\blockRow\(\w+, "site"/, inGateway)).toEqual([]);
});

test("rows of control data are locked by lockRow, except several rows at once and the next of a queue", () => {
  const elsewhere = (file: string) => file === "lib/platform/lock-row.ts" || file.startsWith("lib/ingest/store/");
  expect(containing(/\bFOR (NO KEY )?UPDATE\b(?! SKIP LOCKED)/, elsewhere).sort()).toEqual([
    "lib/auth/signup.ts",
    "lib/gateway/changes/lock-site.ts",
    "lib/identity/take-over.ts",
  ]);
});

test("tables of the schema facts are named only in ingest storage, the engine, transfer and backup", () => {
  const migrations = readdirSync("prisma/migrations", { recursive: true }).map((name) => `prisma/migrations/${name}`);
  const sql = migrations.filter((file) => file.endsWith(".sql")).map((file) => readFileSync(file, "utf8"));
  const names = new Set([...sql.join("\n").matchAll(/\bfacts\.(\w+)/g)].map(([, name]) => name));
  const places = ["lib/ingest/store/", "lib/analytics/engine/", "lib/transfer/", "lib/backup/"];
  const isElsewhere = (file: string) =>
    /^(app|components|lib)\//.test(file) && !places.some((place) => file.startsWith(place));
  const named = containing(new RegExp(`\\bfacts\\.(\\$|"|(${[...names].join("|")})\\b)`));
  expect(names).toContain("event");
  expect(named.filter(isElsewhere)).toEqual([]);
});

test.each([
  ["type", /^(export )?(?:abstract )?(?:class|interface|type) (\w+)/gm, 100],
  ["function or value", /^(export )?(?:async )?(?:const|let|function\*?) (\w+)/gm, 300],
] as const)(
  "a %s that a file of the core exports has a name that no other one of the core has",
  (_, found, atLeast) => {
    const declared = files
      .filter((file) => /^lib\/(analytics|ingest|jobs|platform|postgres|server)\//.test(file) && !isTest(file))
      .flatMap((file) =>
        [...(sources.get(file) ?? "").matchAll(found)].map(([, isExported, name = ""]) => ({
          name,
          file,
          isExported: isExported !== undefined,
        })),
      );
    const exported = new Set(declared.flatMap(({ name, isExported }) => (isExported ? name : [])));
    const isTwice = (name: string) => declared.filter((one) => one.name === name).length > 1;
    expect(declared.filter(({ name }) => exported.has(name) && isTwice(name))).toEqual([]);
    expect(exported.size).toBeGreaterThan(atLeast);
  },
);

/** Names that Next.js calls, and what each grant of OAuth has. */
const CALLED_BY_NAME = [
  ...["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "metadata", "generateMetadata", "dynamic", "dynamicParams"],
  ...["generateStaticParams", "runtime", "revalidate", "alt", "size", "contentType", "grant", "grantType"],
];

test("two exported functions, values or classes have different names, except in what only tests use", () => {
  const exported = files
    .filter((file) => /^(lib|app|components)\//.test(file) && !isTest(file))
    .flatMap((file) =>
      [...(sources.get(file) ?? "").matchAll(/^export (?:async )?(?:const|let|class|function\*?) (\w+)/gm)].map(
        ([, name = ""]) => ({ name, file }),
      ),
    )
    .filter(({ name }) => !CALLED_BY_NAME.includes(name));
  const isTwice = (name: string) => exported.filter((one) => one.name === name).length > 1;
  expect(exported.filter(({ name }) => isTwice(name))).toEqual([]);
  expect(exported.length).toBeGreaterThan(1000);
});

test("the milliseconds of a minute, an hour and a day are declared once", () => {
  const declared = files.filter((file) =>
    /\b(MINUTE|HOUR|DAY|WEEK)_MS = |\b24 \* 3_?600_000\b|\b86_?400_000\b/.test(sources.get(file) ?? ""),
  );
  expect(declared).toEqual(["lib/platform/durations.ts"]);
});

test("there are no barrel files and no folders for miscellaneous code", () => {
  expect(files.filter((file) => /\/(utils?|helpers?|common|services|core|types)(\/|\.tsx?$)/.test(file))).toEqual([]);
  expect(containing(/^export \* from/m)).toEqual([]);
});

test("a file more than two folders up is imported by its whole path", () => {
  expect(containing(/(?:from|import)\s*\(?\s*"(?:\.\.\/){3}/)).toEqual([]);
});

test("no file except tests has more than 400 lines", () => {
  const long = files.filter((file) => (sources.get(file) ?? "").split("\n").length > 400);
  expect(long.filter((file) => !isTest(file))).toEqual([]);
});

/** Process-wide maps and sets without a limit, and why clients cannot make them grow. */
const UNBOUNDED: Record<string, string> = {
  "lib/platform/intl-names.ts": "two entries for each language of the interface",
  "lib/platform/bounded-map.ts": "the names of bounded maps",
  "lib/analytics/process.ts": "queries that are running",
  "lib/ingest/enrich/geo.ts": "one or two configured files, and a limited number of their records",
  "lib/ingest/enrich/sources.ts": "filled from bundled lists",
  "lib/ingest/enrich/web-bot-auth.ts": "the hosts of listed operators",
  "lib/ingest/store/dictionary.ts": "the names of dictionaries",
  "lib/ingest/store/ingest-stats.ts":
    "sites that exist, outcomes of a closed list and 50 names of properties a site; emptied each second",
  "lib/ingest/store/live-window.ts": "sites with an open live test; emptied ten times a second",
  "lib/logs/import.ts": "lives as long as one import",
  "lib/mcp/approvals.ts": "clients with calls that are held open; deleted when they end",
  "lib/platform/pool.ts": "the names of pools",
  "lib/platform/report-time.ts": "the bounds of a bounded map, for tests with a clock of their own",
  "lib/platform/secrets.ts": "purposes in the code",
  "lib/server/metrics.ts": "at most 1,000 routes",
  "lib/sites/tracking-stream.ts": "people with an open stream; deleted when it ends",
  "lib/platform/time.ts": "time zones in their canonical spelling",
  "lib/texts/translate.ts": "the languages of the interface",
  "lib/transfer/countries.ts": "the languages of Google Analytics",
  "lib/transfer/event-pages.ts": "lives as long as one export",
};

test("a map that lives as long as the process has a limit and an expiry, or is listed with a reason", () => {
  // Caches, and module constants that start as an empty Map or Set.
  const growing =
    /^(export )?(const|let) \w+(: [^=\n]+)? = (processWide\((?:[^\n]|\n )*?)?new (Map|Set)(<.*>)?\(\)|new LRUCache\b/m;
  const found = containing(growing).filter((file) => file.startsWith("lib/") || file.startsWith("app/"));
  expect(found.sort()).toEqual(Object.keys(UNBOUNDED).sort());
});

test("a program calls its own functions only below all of its constants", () => {
  // A function that is called above a constant finds it undefined: esbuild turns top-level constants into variables.
  const bundled = [...(sources.get("lib/cli/bundle.mjs") ?? "").matchAll(/: "(\w[^"]+\.ts)"/g)].map(([, file]) => file);
  const programs = [...bundled, ...files.filter((file) => /^bench\/[^/]+\.ts$/.test(file))] as string[];
  expect(programs).toEqual(expect.arrayContaining(["lib/server/main.ts", "lib/cli/import-log.ts", "bench/ingest.ts"]));
  const startsEarly = (file: string) => {
    const text = sources.get(file) ?? "";
    const own = [...text.matchAll(/^(?:async )?function (\w+)/gm)].map(([, name]) => name).join("|");
    // Also a function that is passed to another one, but not inside of a callback.
    const starts = text.search(
      new RegExp(`^(try \\{|(await |void )?([\\w.]+\\([^=\\n]*\\b)?(${own || "(?!)"})\\b)`, "m"),
    );
    return starts !== -1 && /^(const|let|class) /m.test(text.slice(starts));
  };
  expect(programs.filter(startsEarly)).toEqual([]);
});

test("no error is caught and dropped: each catch answers, logs or counts, or names the one error that it expects", () => {
  expect(containing(/\.catch\(\(\w*\) => \{\s*\}\)|\bcatch( \(\w+\))? \{\s*\}/)).toEqual([]);
});

test("no script of a page has zod, which is a quarter of what a page may load", () => {
  const imported = (file: string) =>
    [...(sources.get(file) ?? "").matchAll(/^(?:import|export) (?!type )([^;]*?)from "([^"]+)"/gm)]
      .filter(([, names = ""]) => !/^\{(\s*type \w+,?)+\s*\}\s*$/.test(names))
      .map(([, , name = ""]) =>
        name.startsWith(".") ? path.join(path.dirname(file), name) : name.replace(/^@\//, ""),
      );
  const loaded = new Set(files.filter((file) => sources.get(file)?.startsWith('"use client"')));
  for (const file of loaded) {
    for (const name of imported(file)) {
      const target = [`${name}.ts`, `${name}.tsx`, name].find((one) => sources.has(one));
      if (target) loaded.add(target);
    }
  }
  expect(loaded.size).toBeGreaterThan(300);
  expect([...loaded].filter((file) => imported(file).includes("zod"))).toEqual([]);
});

test("a component has a name of its own, so that a search for it finds one", () => {
  // What loads a component later has its name.
  const component =
    /^(?:export )?(?:default )?(?:async )?(?:function|const) ([A-Z]\w*[a-z]\w*)\b(?! = (?:lazyDialog|lazyPart|dynamic)\()/gm;
  const places = new Map<string, string[]>();
  for (const file of files.filter((file) => /^(app|components)\/.*\.tsx$/.test(file))) {
    for (const [, name = ""] of (sources.get(file) ?? "").matchAll(component)) {
      places.set(name, [...(places.get(name) ?? []), file]);
    }
  }
  expect(places.size).toBeGreaterThan(500);
  expect([...places].filter(([, where]) => where.length > 1)).toEqual([]);
});

test("there are no TODO comments", () => {
  expect(containing(/\b(TODO|FIXME|XXX|HACK)\b/)).toEqual([]);
});
