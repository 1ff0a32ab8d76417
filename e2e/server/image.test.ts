import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { migratedDatabase } from "@/lib/testing/database";
import { temporaryDir } from "@/lib/testing/temporary-dir";
import { TEST_SECRETS } from "@/lib/testing/world";

/** End-of-life dates of Node's LTS releases: https://github.com/nodejs/release#release-schedule */
const END_OF_LIFE: Record<string, string> = { 20: "2026-04-30", 22: "2027-04-30", 24: "2028-04-30", 26: "2029-04-30" };

const dockerfile = readFileSync("Dockerfile", "utf8");

test("the image is built and run with one supported Node release, which matches package.json, .nvmrc and README", () => {
  const stages = [...dockerfile.matchAll(/^FROM node:(\d+)[\d.]*-slim/gm)].map(([, major]) => major);
  expect(stages).toHaveLength(2);
  expect(new Set(stages).size).toBe(1);
  const [major = ""] = stages;
  expect(Date.parse(END_OF_LIFE[major] ?? "1970-01-01"), `Node ${major}`).toBeGreaterThan(Date.now());
  expect(readFileSync(".nvmrc", "utf8").trim()).toBe(major);
  const { engines } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(engines.node).toBe(">=20.19");
  expect(readFileSync("README.md", "utf8")).toContain("Node 20.19 or newer");
});

test("the files of the image start with the image's own command, answer its health check and stop", async ({
  expect,
  onTestFinished,
}) => {
  const image = temporaryDir();
  copyContext(image);
  for (const made of ["prisma/client", "public", "build", ".next"])
    cpSync(made, path.join(image, made), { recursive: true });
  linkProductionPackages(image);
  const env: NodeJS.ProcessEnv = {
    NODE_ENV: "production",
    ...environment(),
    PATH: process.env.PATH ?? "",
    HOME: image,
    HOST: "127.0.0.1",
    PORT: "0",
    DATA_DIR: temporaryDir(),
    DATABASE_URL: await migratedDatabase(),
    APP_SECRETS: TEST_SECRETS,
  };
  const [node = "", ...args] = [...command("ENTRYPOINT"), ...command("CMD")];
  const server = spawn(node, args, { cwd: image, env, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void server.kill("SIGKILL"));
  const port = await portOf(server);
  const [probe = "", ...probeArgs] = command("HEALTHCHECK");
  // Repeated, as a container's engine does: on a busy machine a part may answer late.
  const check = () => spawnSync(probe, probeArgs, { env: { ...env, PORT: port }, encoding: "utf8" });
  await expect.poll(check).toMatchObject({ status: 0 });
  server.kill("SIGTERM");
  expect(await once(server, "exit")).toEqual([0, null]);
});

/** Copies what `COPY . .` copies. */
function copyContext(image: string): void {
  const ignored = readFileSync(".dockerignore", "utf8").split("\n").filter(Boolean).map(patternOf);
  const tracked = execFileSync("git", ["ls-files"], { encoding: "utf8" }).split("\n").filter(existsSync);
  for (const file of tracked.filter((name) => !ignored.some((pattern) => pattern.test(name)))) {
    mkdirSync(path.join(image, path.dirname(file)), { recursive: true });
    cpSync(file, path.join(image, file));
  }
}

/** The pattern of a line of .dockerignore, which also matches everything below a folder. */
const patternOf = (line: string): RegExp => {
  const text = line
    .replaceAll(".", "\\.")
    .replaceAll("**/", "(.+/)?")
    .replaceAll(/(?<!\.)\*/g, "[^/]*");
  return new RegExp(`^${text.replace("(.+/)?", "(?:.+/)?")}(/|$)`);
};

/** Links the packages that `npm prune --omit=dev` keeps, as folders: copies of their files take seconds to make and delete. */
function linkProductionPackages(image: string): void {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
    packages: Record<string, { dev?: boolean }>;
  };
  const kept = Object.entries(packages).flatMap(([name, { dev }]) =>
    /^node_modules\/(@[^/]+\/)?[^/]+$/.test(name) && !dev && existsSync(name) ? [name] : [],
  );
  for (const name of kept) {
    mkdirSync(path.join(image, path.dirname(name)), { recursive: true });
    symlinkSync(path.resolve(name), path.join(image, name));
  }
  cpSync("node_modules/.footfall-installed", path.join(image, "node_modules/.footfall-installed"));
}

/** The variables of the last stage. */
const environment = (): Record<string, string> =>
  Object.fromEntries(
    [...(/\nENV (.*)\nCOPY --from/.exec(dockerfile)?.[1] ?? "").matchAll(/(\w+)=(\S+)/g)].map(([, key, value]) => [
      key,
      value,
    ]),
  );

/** The words of an instruction in exec form. */
const command = (instruction: string): string[] =>
  JSON.parse(new RegExp(`^${instruction} [^[]*(\\[.*\\])$`, "m").exec(dockerfile)?.[1] ?? "[]");

/** Waits until the server listens. @returns its port */
async function portOf(server: ReturnType<typeof spawn>): Promise<string> {
  let output = "";
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk;
      const [, port] = /port (\d+)/.exec(output) ?? [];
      if (port) resolve(port);
    };
    server.stdout?.on("data", read);
    server.stderr?.on("data", read);
    server.once("exit", (code) => reject(new Error(`It ended with ${code}:\n${output}`)));
  });
}
