import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { plainPath } from "@/lib/testing/plain-tools";
import { zipOf } from "@/lib/testing/zip";
import { connectAgent } from "./support/agents";
import { moveBack, postEvent } from "./support/events";
import { expect, test } from "./support/fixtures";

/** Files of agents: the shell of the published text, as it is, with the tools of a plain image. */

const TOTALS = `date,visitors,pageviews,bounces,visits,visit_duration
2024-03-01,10,30,4,12,600
2024-03-02,20,50,5,25,1500
`;

test("an agent that has only the published text imports a zip and downloads its site with curl", async ({
  siteOwner,
  server,
}) => {
  const { siteId, host, email } = siteOwner;
  await postEvent(server, { host }, { name: "pageview", url: `https://${host}/ценник` });
  await moveBack(server, { siteId }, 10);
  const { token } = await connectAgent(server, { email, siteIds: [siteId] });
  const published = await (await fetch(`${server.url}/docs/export.md`)).text();
  const section = published.slice(published.indexOf("## For agents"));
  const blocks = [...section.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, code = ""]) => code);
  expect(blocks).toHaveLength(2);
  const folder = mkdtempSync(path.join(os.tmpdir(), "footfall-agent-files-"));
  try {
    writeFileSync(
      path.join(folder, "export.zip"),
      zipOf([{ name: "imported_visitors_20240301_20240302.csv", data: TOTALS }]),
    );
    const script = blocks
      .join("\n")
      .replaceAll("site_id=1", `site_id=${siteId}`)
      .replaceAll('"site_id":1', `"site_id":${siteId}`);
    const env = { ...process.env, PATH: plainPath(folder), TOKEN: token };
    const { status, stderr } = spawnSync("/bin/sh", ["-e"], { cwd: folder, env, input: script, encoding: "utf8" });
    expect(status, stderr).toBe(0);
    const files = readdirSync(folder).filter((name) => name.startsWith(host));
    expect(files.map((name) => name.split(".").at(-1)).sort()).toEqual(["parquet", "pdf"]);
    for (const name of files)
      expect(readFileSync(path.join(folder, name)).subarray(0, 3).toString()).toMatch(/PAR|%PD/);
    expect(JSON.parse(readFileSync(path.join(folder, "runs.json"), "utf8")).data.runs[0]).toMatchObject({
      state: "ready",
      source: "plausible",
      sums: { days: 2, visitors: 30, pageviews: 80 },
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
  const imported = () =>
    server.query("SELECT count(*)::int AS days FROM import_run WHERE site_id = $1 AND state = 'done'", [siteId]);
  await expect.poll(imported).toEqual([{ days: 1 }]);
});
