import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, expect, inject, test } from "vitest";
import { emptyDatabase, migratedDatabase } from "@/lib/testing/database";
import { type RunningServer, startServer } from "@/lib/testing/server";
import { temporaryDir } from "@/lib/testing/temporary-dir";
import { sampled } from "@/lib/testing/tier";
import { CHROME, TEST_SECRETS } from "@/lib/testing/world";

/** The npm commands as processes of the built checkout. */

const SCRIPTS: Record<string, string> = JSON.parse(readFileSync("package.json", "utf8")).scripts;
const OTHER_SECRETS = `k1:${Buffer.alloc(32, 8).toString("base64")}`;
const folder = temporaryDir(afterAll);
const at = (name: string): string => path.join(folder, name);

type Environment = Record<string, string>;
type Installation = Environment & { DATA_DIR: string };
type Started = Pick<RunningServer, "url" | "port" | "output" | "end">;

const started: Started[] = [];
afterAll(async () => {
  await Promise.all(started.map((server) => server.end("SIGTERM")));
});

/** Starts `build/main.mjs` like `npm start`. */
async function start(installation: Installation): Promise<Started> {
  const server = await startServer(installation);
  started.push(server);
  return server;
}

/** Starts the server by `npm start` itself. Its end is that of npm, which must end the server. */
async function startWithNpm(installation: Installation): Promise<Started> {
  const env = { ...environment(installation), PORT: "0", LOG_LEVEL: "warn" };
  const npm = spawn("npm", ["start"], { env, stdio: ["ignore", "pipe", "pipe"] });
  // The server holds its output open until it ends.
  const closed = once(npm, "close");
  let output = "";
  const port = await new Promise<number>((resolve, reject) => {
    for (const stream of [npm.stdout, npm.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        output += chunk;
        const [, found] = /Listens on \S+, port (\d+)/.exec(output) ?? [];
        if (found) resolve(Number(found));
      });
    }
    closed.then(() => reject(new Error(output)), reject);
  });
  const server: Started = {
    url: `http://127.0.0.1:${port}`,
    port,
    output: () => output,
    async end(signal) {
      npm.kill(signal);
      await closed;
      return 0;
    },
  };
  started.push(server);
  return server;
}

function environment(given: Environment) {
  const { PATH = "", HOME = "" } = process.env;
  return { PATH, HOME, NODE_ENV: "production" as const, ...given };
}

interface Ended {
  code: number;
  stdout: string;
  /** Without lines about progress, which only slow machines print. */
  stderr: string;
}

/** Runs an npm script to its end, like npm but without the seconds of npm itself. */
function run(script: string, args: string[], env: Environment): Promise<Ended> {
  const [program = "", ...given] = (SCRIPTS[script] ?? "").split(" ");
  return new Promise((resolve) => {
    const child = execFile(program, [...given, ...args], { env: environment(env) }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr: stderr.replace(/^(\d|Line ).* …\n/gm, "") }),
    );
  });
}

/** Runs an npm script that must succeed. @returns what it prints. */
async function succeed(script: string, args: string[], env: Environment): Promise<string> {
  const { code, stdout, stderr } = await run(script, args, env);
  expect({ code, stderr }, `${script} ${args.join(" ")}`).toEqual({ code: 0, stderr: "" });
  return stdout;
}

/** Runs an npm script that must fail with a message and without a stack. */
async function expectRefusal(script: string, args: string[], env: Environment, message: RegExp): Promise<void> {
  const { code, stdout, stderr } = await run(script, args, env);
  const what = `${script} ${args.join(" ")}`;
  expect(stderr, what).toMatch(message);
  expect(stderr, what).not.toMatch(/\n {4}at /);
  expect({ code, stdout }, what).toEqual({ code: 1, stdout: "" });
}

/** Runs operations as a signed-in person, like the pages of the server. */
type Ask = (operation: string, input: object) => Promise<Answer>;
// biome-ignore lint/suspicious/noExplicitAny: answers of any operation
type Answer = any;

/** @returns the cookies of the new session. */
async function signIn({ url }: Started, person: Filled["person"]): Promise<string> {
  const csrf = await fetch(`${url}/api/auth/csrf`);
  const { csrfToken } = await csrf.json();
  const answer = await fetch(`${url}/api/auth/callback/credentials`, {
    method: "POST",
    headers: { cookie: cookiesOf(csrf) },
    body: new URLSearchParams({ ...person, csrfToken, json: "true" }),
  });
  expect(answer.status).toBe(200);
  return cookiesOf(answer);
}

const cookiesOf = ({ headers }: Response): string =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(";", 1)[0])
    .join("; ");

async function asPerson({ url, port }: Started, cookie: string): Promise<Ask> {
  const { data } = await (await fetch(`${url}/actions/csrf`, { headers: { cookie } })).json();
  const headers = {
    cookie,
    origin: `http://localhost:${port}`,
    "x-csrf-token": data.csrf_token,
    "content-type": "application/json",
  };
  return async (operation, input) => {
    for (;;) {
      const body = JSON.stringify(input);
      const answer = await fetch(`${url}/actions/${operation}`, { method: "POST", headers, body });
      if (answer.status === 200) return (await answer.json()).data;
      const text = await answer.text();
      // While the server copies the events for reports, clients wait as it asks.
      if (answer.status !== 503) throw new Error(`${operation} answered ${answer.status}: ${text}`);
      await setTimeout(Number(answer.headers.get("retry-after")) * 1000);
    }
  };
}

/** The lines of an access log of people who open one page each now. */
const accessLog = (addresses: string[]): string => {
  const [, day, month, year, time] = /, (\d+) (\w+) (\d+) (\S+)/.exec(new Date().toUTCString()) ?? [];
  const at = `${day}/${month}/${year}:${time} +0000`;
  return addresses.map((address) => `${address} - - [${at}] "GET /logged HTTP/1.1" 200 99 "-" "${CHROME}"\n`).join("");
};

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name));

/** A new installation with DATABASE_URL; on Citus, its facts are distributed already. */
const installationOf = async (name: string): Promise<Installation> => ({
  DATA_DIR: at(name),
  DATABASE_URL: await (inject("citus") ? migratedDatabase() : emptyDatabase()),
  APP_SECRETS: TEST_SECRETS,
});

/** A seeded and running server with imported events, and what it answers. */
interface Filled {
  server: Started;
  person: { email: string; password: string };
  cookie: string;
  answers: Answer[];
}

/** Seeds an installation, starts it, and imports events of a demo site and lines of a log into another site. */
async function fill(installation: Installation): Promise<Filled> {
  const fileOf = (name: string) => path.join(installation.DATA_DIR, name);
  const seeded = await succeed("seed", ["--days", "3"], installation);
  expect(seeded).toMatch(/demo-shop\.example: \d{4,} .*\ndemo-blog\.example: \d{4,} .*\nNext: npm start/);
  const [, email = "", password = ""] = /Sign in as (\S+) with the password (\S+)/.exec(seeded) ?? [];
  const server = await start(installation);
  const cookie = await signIn(server, { email, password });
  const ask = await asPerson(server, cookie);

  const { site_id } = await ask("sites.create", { domain: "copy.example", timezone: "UTC", public: false });
  const { sites } = await ask("sites.list", {});
  const blog = sites.find(({ domain }: Answer) => domain === "demo-blog.example");
  const { rows } = await ask("sites.export", { site_id: blog.site_id, limit: 500 });
  writeFileSync(fileOf("events.ndjson"), rows.map((row: object) => `${JSON.stringify(row)}\n`).join(""));
  const imported = await succeed("import", ["--site", "copy.example", fileOf("events.ndjson")], installation);
  expect(imported).toBe("500 events read: 500 added, 0 already stored.\n");
  const { key } = await ask("sites.keys.create", { site_id, name: "Log" });
  writeFileSync(fileOf("key"), key);
  writeFileSync(fileOf("access.log"), accessLog(["203.0.113.1", "203.0.113.2", "203.0.113.3"]));
  const given = ["--site", "copy.example", "--key-file", fileOf("key"), "--to", server.url, "--all"];
  const logged = await succeed("import-log", [fileOf("access.log"), ...given], installation);
  expect(logged).toMatch(/^3 lines read, 3 pages sent: 3 stored, /);

  const answers = await answersOf(ask);
  const pageviews = new Map(answers.map(({ domain, metrics }) => [domain, metrics.pageviews]));
  const isHumanPageview = ({ type, traffic }: Answer) => type === "pageview" && traffic === "human";
  expect(pageviews.get("copy.example")).toBe(rows.filter(isHumanPageview).length + 3);
  for (const demo of ["demo-shop.example", "demo-blog.example"]) expect(pageviews.get(demo)).toBeGreaterThan(100);
  return { server, person: { email, password }, cookie, answers };
}

/** The numbers of all sites, of the days of earlier answers: a day may have ended since. */
async function answersOf(ask: Ask, earlier: Answer[] = []): Promise<Answer[]> {
  const { sites } = await ask("sites.list", {});
  return Promise.all(
    sites.map(async ({ site_id, domain }: Answer) => {
      const days = earlier.find((one) => one.domain === domain)?.days ?? { period: "7d" };
      const { meta, metrics, panels } = await ask("analytics.overview", { site_id, ...days });
      return { domain, days: { from: meta.from, to: meta.to }, metrics, panels };
    }),
  );
}

/** Expects a restored server to have the people, sessions, secrets and numbers of the first one, and ends it. */
async function expectSame(server: Started, { person, cookie, answers }: Filled): Promise<void> {
  expect(await answersOf(await asPerson(server, cookie), answers)).toEqual(answers);
  await signIn(server, person);
  await expectCleanEnd(server);
}

/** Ends a server, which must not have logged an error. */
async function expectCleanEnd(server: Started): Promise<void> {
  expect(await server.end("SIGTERM")).toBe(0);
  expect(server.output()).not.toMatch(/"level":[56]0/);
}

/** What a backup says that it has copied, and a restore of it too. */
const contentOf = (printed: string): string => /^\d{4,} rows of \d+ tables/.exec(printed)?.[0] ?? "";
const modeOf = (file: string): string => (statSync(file).mode & 0o777).toString(8);

test("on the embedded database, a server is seeded, filled, backed up and restored without a change in its answers", async () => {
  const [one, two] = [{ DATA_DIR: at("embedded") }, { DATA_DIR: at("embedded-restored") }];
  const [live, stopped] = [at("live.backup"), at("stopped.backup")];
  const filled = await fill(one);

  const written = await succeed("backup", [live, "--with-secrets"], one);
  expect(written).toMatch(
    /live\.backup \(\d.*B\)\.\nIt contains the secrets: .*\nRestore it with: npm run restore -- \//,
  );
  const atWork: [string, ...string[]][] = [["restore", live], ["seed"], ["start"]];
  for (const [script, ...args] of sampled(atWork, 2))
    await expectRefusal(script, args, one, /already running on .*: stop it, or set DATA_DIR to another folder/);
  for (const file of filesIn(path.join(one.DATA_DIR, "analytics"))) expect([file, modeOf(file)]).toEqual([file, "600"]);
  await expectCleanEnd(filled.server);

  expect(await succeed("backup", [stopped], one)).toContain(`store the file app-secrets in ${one.DATA_DIR} separately`);
  await expectRefusal("restore", [stopped], one, /not empty.*set DATA_DIR to a new folder/);
  await expectRefusal("restore", [stopped], two, /cannot be decrypted: set APP_SECRETS.*--secrets-lost/);
  expect([modeOf(live), modeOf(stopped)]).toEqual(["600", "600"]);

  expect(contentOf(await succeed("restore", [live], two))).toBe(contentOf(written));
  await expectSame(await startWithNpm(two), filled);
  expect(existsSync(path.join(two.DATA_DIR, "postgres/postmaster.pid"))).toBe(false);
  // A backup of the embedded database moves to another Postgres, whose backup has the same rows.
  const secrets = readFileSync(path.join(one.DATA_DIR, "app-secrets"), "utf8").trim();
  const moved = { ...two, DATABASE_URL: await emptyDatabase(), APP_SECRETS: secrets };
  const restored = contentOf(await succeed("restore", [stopped], moved));
  expect(restored).not.toBe("");
  expect(contentOf(await succeed("backup", [at("moved.backup")], moved))).toBe(restored);
});

test("with DATABASE_URL, a server is seeded, filled, backed up and restored without a change in its answers", {
  tags: "full",
}, async () => {
  const [one, two] = [await installationOf("own"), await installationOf("own-restored")];
  const [live, stopped] = [at("own-live.backup"), at("own-stopped.backup")];
  const filled = await fill(one);

  expect(await succeed("backup", [live, "--with-secrets"], one)).toContain("It contains the secrets");
  await expectRefusal("restore", [live], one, /not empty.*DATABASE_URL to a new database/);
  await expectRefusal("seed", [], one, /already exists.*DATABASE_URL to another database/);
  await expectCleanEnd(filled.server);

  const written = await succeed("backup", [stopped], one);
  expect(written).toContain("store APP_SECRETS separately");
  expect([modeOf(live), modeOf(stopped)]).toEqual(["600", "600"]);
  const damaged = at("damaged.backup");
  copyFileSync(stopped, damaged);
  truncateSync(damaged, statSync(stopped).size - 500);
  await expectRefusal("restore", [damaged], two, /^The backup is incomplete: it was cut off\.$/m);
  const withOthers = { ...two, APP_SECRETS: OTHER_SECRETS };
  await expectRefusal("restore", [stopped], withOthers, /cannot be decrypted: set APP_SECRETS.*--secrets-lost/);
  expect(contentOf(await succeed("restore", [stopped], two))).toBe(contentOf(written));
  await expectSame(await start(two), filled);
  const lost = { ...(await installationOf("lost")), APP_SECRETS: OTHER_SECRETS };
  expect(contentOf(await succeed("restore", [live, "--secrets-lost"], lost))).not.toBe("");
});

test("a command that cannot do its work exits with 1 and says how to go on", async () => {
  const empty = { DATA_DIR: at("empty") };
  const url = "postgres://someone:a-password@127.0.0.1:1/numbers";
  const unreachable = { ...empty, DATABASE_URL: url, APP_SECRETS: TEST_SECRETS };
  const fresh = { ...empty, DATABASE_URL: await emptyDatabase(), APP_SECRETS: TEST_SECRETS };
  const anywhere = at("any.backup");
  const site = ["--site", "a.example"];
  const cases: [string, string[], Environment, RegExp][] = [
    ["backup", [], empty, /^npm run backup -- <file>/],
    ["import", [], empty, /^npm run import -- --site/],
    ["import-log", [], empty, /^npm run import-log -- <file/],
    ["update-lists", [], empty, /^npm run update-lists -- <folder of downloads>/],
    ["seed", ["--days", "0"], empty, /^--days must be a whole number from 1 to 60\.$/m],
    ["backup", ["--secret", anywhere], empty, /^Unknown option '--secret'\.\nnpm run backup -- <file>/],
    ["backup", [anywhere], empty, /contains no database; set DATA_DIR or DATABASE_URL/],
    ["backup", [at("none/any.backup")], empty, /^The folder .*none does not exist: create it/],
    ["restore", [anywhere], empty, /^The file .*any\.backup does not exist\.$/m],
    ["restore", ["package.json"], empty, /not a Footfall backup, or it is damaged/],
    ["import", [...site, anywhere], empty, /^The file .*any\.backup does not exist\.$/m],
    ["import", [...site, "package.json"], fresh, /empty or of an older version: start this version once/],
    ["import-log", [anywhere, ...site], { INGEST_KEY: "k" }, /^The file .*any\.backup does not exist\.$/m],
    ["backup", [anywhere], fresh, /nothing to back up/],
    ...(["start", "seed", "backup", "import"] as const).map((script): [string, string[], Environment, RegExp] => {
      const args = { start: [], seed: [], backup: [anywhere], import: [...site, "package.json"] }[script];
      return [script, args, unreachable, /^DATABASE_URL cannot be used \(connect ECONNREFUSED 127\.0\.0\.1:1\): check/];
    }),
  ];
  for (const [script, args, env, message] of sampled(cases, 4)) await expectRefusal(script, args, env, message);
  expect(readdirSync(folder)).not.toContain("any.backup");
});

test("distribute refuses a Postgres without Citus, and an installation without DATABASE_URL, in one sentence", async () => {
  const plain = { DATA_DIR: at("plain"), DATABASE_URL: await emptyDatabase(), APP_SECRETS: TEST_SECRETS };
  await expectRefusal(
    "distribute",
    [],
    plain,
    /^DATABASE_URL is not a database of Citus: .*CREATE EXTENSION citus.*\.\n$/,
  );
  await expectRefusal(
    "distribute",
    [],
    { DATA_DIR: at("plain") },
    /^Set DATABASE_URL to the coordinator of Citus: .*\.\n$/,
  );
});
