import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { OPERATIONS } from "@/lib/operations/index";
import { ACTIONS } from "@/lib/publish/groups";
import { openapi } from "@/lib/publish/openapi";
import { OWNER_PATHS } from "@/lib/testing/owner-paths";

/** What owners see on pages, agents read by operations: pages and `/openapi.json` are compared. */

const OWNER = "app/(owner)";
const sourceOf = (file: string) => readFileSync(file, "utf8");
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true })
    .map((name) => path.join(folder, `${name}`))
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file));
const sources = [OWNER, "app/_dashboard"].flatMap(filesIn);

/** What is imported at run time, not only as a type. */
const importsOf = (file: string): string[] =>
  [...sourceOf(file).matchAll(/^(?:import|export) (?!type )[^;]*?from "([^"]+)"/gm)].map(([, name]) => `${name}`);

/** Shared by all pages: it reads the site of a page and the sites of menus, by `sites.list`. */
const SHARED = [`${OWNER}/access.ts`, `${OWNER}/settings-roles.ts`];
const READS_SITE = /\b(siteOrNotFound|openSettings)\(/;

/** What a form sends, of the operations that agents call too. */
const SENDS = /\buseAction\("((?:sites|analytics)\.[\w.]+)"/g;

/** Returns the operations that a page uses: its own, and those of the files beside it that it imports. */
function readBy(page: string): Set<string> {
  const [ids, seen, waiting] = [new Set<string>(), new Set(SHARED), [page]];
  for (let file = waiting.pop(); file; file = waiting.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    if (READS_SITE.test(sourceOf(file))) ids.add("sites.list");
    for (const [, id = ""] of sourceOf(file).matchAll(SENDS)) ids.add(id);
    for (const name of importsOf(file)) {
      const id = /^@\/lib\/operations\/([^/]+)$/.exec(name)?.[1];
      if (id && id !== "index") ids.add(id);
      const target = name.startsWith("@/app/") ? name.slice(2) : path.join(path.dirname(file), name);
      if (/^(\.|@\/app\/)/.test(name))
        waiting.push(...[`${target}.ts`, `${target}.tsx`].filter((one) => existsSync(one)));
    }
  }
  return ids;
}

/** Pages that show what no agent reads, and why. */
const PEOPLE_ONLY: Readonly<Record<string, string>> = {
  "account/page.tsx": "a person's own password, sessions and second factor",
  "account/log/page.tsx": "what a person did, and what was done to their account",
  "account/tokens/new/page.tsx": "a person makes a token: no agent makes one",
  "admin/page.tsx": "the operator's view of the service, which belongs to no site",
  "agents/page.tsx": "which agents a person has let in: an agent must not see the others",
  "agents/[clientId]/page.tsx": "what a person takes from an agent, or restores after it",
  "agents/claim/[clientId]/page.tsx": "a person takes over an agent",
  "approvals/page.tsx": "what a person decides; agents read their own requests by approvals.list",
  "approvals/[approvalId]/page.tsx": "the decision of a person",
  "device/page.tsx": "the consent of a person",
  "oauth/authorize/page.tsx": "the consent of a person",
};

const pages = sources.filter((file) => file.endsWith("/page.tsx")).map((file) => file.slice(OWNER.length + 1));
const paths = Object.keys((openapi("https://stats.example.com") as { paths: object }).paths);

test("owner pages are found, with their operations", () => {
  expect(pages.length).toBeGreaterThan(25);
  expect([...readBy(`${OWNER}/sites/[siteId]/settings/monitoring/page.tsx`)].sort()).toEqual([
    "sites.list",
    "sites.members.list",
    "sites.monitoring.get",
    "sites.webhooks.get",
    "sites.webhooks.send_test",
    "sites.webhooks.set",
  ]);
});

test.each(pages.filter((page) => !(page in PEOPLE_ONLY)))("%s uses operations of /openapi.json", (page) => {
  const ids = [...readBy(`${OWNER}/${page}`)];
  expect(ids).not.toEqual([]);
  expect(ids.filter((id) => !OPERATIONS.has(id) || !paths.includes(`${ACTIONS}/${id}`))).toEqual([]);
});

test("each page for people only exists and reads no operation, so that the list stays short", () => {
  const reading = Object.keys(PEOPLE_ONLY).filter(
    (page) => !pages.includes(page) || readBy(`${OWNER}/${page}`).size > 0,
  );
  expect(reading).toEqual([]);
});

test.each(["e2e/accessibility.spec.ts", "e2e/screenshots/pages.ts"])("%s looks at each page of owners", (file) => {
  const source = sourceOf(file);
  expect(OWNER_PATHS.length).toBeGreaterThan(10);
  expect(OWNER_PATHS.filter((one) => !source.includes(`"${one}"`) && !source.includes(`"${one}?`))).toEqual([]);
});

/** Modules below operations that owner pages import, where, and why: texts, and what is of a person alone. */
const IMPORTED: Readonly<Record<string, { by: RegExp; why: string }>> = {
  "account/delete-account": { by: /^account\//, why: "of the person alone" },
  "account/export-account": { by: /^account\//, why: "of the person alone" },
  "sites/reports/subscriptions": { by: /^account\//, why: "the person's own emails" },
  "account/change-email": { by: /^account\//, why: "of the person alone" },
  "admin/disk": { by: /^admin\//, why: "for the operator" },
  "admin/jobs": { by: /^admin\//, why: "for the operator" },
  "admin/lists": { by: /^admin\//, why: "for the operator" },
  "admin/overview": { by: /^admin\//, why: "for the operator" },
  "admin/storage": { by: /^admin\//, why: "for the operator" },
  "sites/share-limits": { by: /settings\/sharing\//, why: "names of panels and reports" },
  "sites/merged-visitors": { by: /^(admin\/page|sites\/\[siteId\]\/page)/, why: "a fault of the service's own proxy" },
  "agents/action-log": { by: /^agents\//, why: "what the person's agent did" },
  "agents/account-log": { by: /^account\//, why: "of the person alone" },
  "agents/entry-titles": { by: /settings\/log\//, why: "a table of texts" },
  "agents/undo": { by: /settings\/log\//, why: "what the person can undo; agents call the operation again" },
  "agents/approval-inbox": { by: /^(agents|approvals|layout)/, why: "what the person decides" },
  "oauth/connections": { by: /^(account|agents)\//, why: "which agents and tokens the person has" },
  "oauth/consent": { by: /^account\/tokens\//, why: "what a person can give a token" },
  "oauth/authorize": { by: /^oauth\//, why: "what an assistant asks the person" },
  "oauth/redirect-uris": { by: /^oauth\//, why: "who receives the answer" },
  "identity/claims": { by: /^agents\/claim\//, why: "a person takes over an agent" },
  "agents/loss": { by: /settings\/danger\//, why: "what a deletion loses; an agent's human sees it with the approval" },
  "sites/site-list": { by: /^sites\/[^[]/, why: "the person's own pins and order of sites" },
  "sites/tracking-stream": { by: /settings\/tracking\/stream\//, why: "sites.tracking_test.overview as a stream" },
  "transfer/export-totals": {
    by: /settings\/data\/export\//,
    why: "sites.export.download of imported totals, with its own check of the role",
  },
  "transfer/export": {
    by: /settings\/data\/export\//,
    why: "sites.export as one file, with its own check of the role",
  },
  "transfer/line": { by: /settings\/data\/export\//, why: "names of formats" },
  "platform/db": { by: /^sites\/(page|present)/, why: "for the person's own pins and order of sites" },
  "analytics/query/first-day": { by: /^sites\/\[siteId\]\//, why: "where the calendar begins" },
  "analytics/query/dimensions": { by: /./, why: "a table of names" },
  "analytics/query/metrics": { by: /./, why: "a table of names" },
  "analytics/query/value-names": { by: /./, why: "names of values" },
  "analytics/reports/overview": { by: /./, why: "names of panels" },
  "sites/local-trials": { by: /install\//, why: "a sentence about a domain" },
  "ingest/enrich/geo": { by: /./, why: "whose locations are to be credited" },
  "ingest/scrubbing/kinds": { by: /./, why: "a table of texts" },
  "ingest/debug/debug-record-text": { by: /./, why: "a table of texts" },
  "monitoring/causes": { by: /./, why: "a table of texts" },
  "sites/check/finding-words": { by: /install\//, why: "texts of an answer in the reader's language" },
  "sites/retention-text": { by: /./, why: "a table of texts" },
};
const BELOW =
  /^@\/lib\/((?:(?:account|admin|agents|analytics|email-reports|identity|ingest|monitoring|oauth|sites|transfer)\/.+)|platform\/(?:db|pool|reports))$/;

/** Returns the modules below operations that files of a folder import, and where. */
const importedFrom = (files: readonly string[], folder: string) =>
  files.flatMap((file) =>
    importsOf(file).flatMap((name) => {
      const module = BELOW.exec(name)?.[1];
      return module ? [{ module, by: file.replace(`${folder}/`, "") }] : [];
    }),
  );

test("owner pages read sites through operations, and import what is below them only for the reasons listed", () => {
  const found = importedFrom(sources, OWNER);
  expect(found.filter(({ module, by }) => !IMPORTED[module]?.by.test(by))).toEqual([]);
  expect(Object.keys(IMPORTED).filter((module) => !found.some((one) => one.module === module))).toEqual([]);
});

const PUBLIC = "app/(public)";

/** Modules below operations that pages without sign-in import, and why: what an address opens, which no operation knows, and texts. */
const IMPORTED_WITHOUT_ACCOUNT: Readonly<Record<string, string>> = {
  "sites/shared": "which site the address of a public dashboard or a private link shows",
  "sites/share-links": "which link a secret opens, and that it was opened",
  "sites/share-password": "whether this browser has entered the password of a link",
  "sites/share-limits": "names of what a link shows",
  "sites/last-event": "sites.activity without the refused events, which readers of a link must not see",
  "analytics/query/first-day": "where the calendar begins",
  "ingest/enrich/geo": "whose locations are to be credited",
};

test("pages without sign-in read sites within the limits of what is shared, and import what is below only for the reasons listed", () => {
  const files = filesIn(PUBLIC);
  const found = importedFrom(files, PUBLIC);
  expect(found.filter(({ module }) => !(module in IMPORTED_WITHOUT_ACCOUNT))).toEqual([]);
  expect(Object.keys(IMPORTED_WITHOUT_ACCOUNT).filter((name) => !found.some(({ module }) => module === name))).toEqual(
    [],
  );
  const running = /\b(execute|queryAs|queryShared|queryPublicSite)\(/g;
  const asking = files.flatMap((file) => [...sourceOf(file).matchAll(running)].map(([, name]) => `${name} in ${file}`));
  expect(asking.sort()).toEqual([
    `queryPublicSite in ${PUBLIC}/_shared/public.ts`,
    `queryShared in ${PUBLIC}/_shared/links.ts`,
  ]);
});
