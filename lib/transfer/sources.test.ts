import { expect, test } from "vitest";
import { serviceOf } from "@/lib/transfer/sources";
import { readHead } from "@/lib/transfer/sums-files";

const EXPORTS: readonly [service: string, name: string, lines: string[]][] = [
  [
    "plausible",
    "imported_visitors_20250301_20250302.csv",
    ["date,visitors,pageviews,bounces,visits,visit_duration", "2025-03-01,1,2,0,1,60"],
  ],
  ["umami", "events.csv", ["event_id,website_id,session_id,visit_id,created_at,url_path,event_type", "e,w,s,v,t,/,1"]],
  ["ga4", "a.csv", ["# 20250301-20250302", "Date,Total users,Sessions,Views", "20250301,1,1,2"]],
  ["ga4", "a.csv", ["# 20250301-20250302;;;", "Datum;Land;Nutzer insgesamt;Sitzungen", "20250301;Deutschland;1;1"]],
  ["ga4", "a.csv", ["date\tcountry\ttotalUsers", "20250301\tGermany\t1"]],
  ["matomo", "a.csv", ["Datum;Eindeutige Besucher;Besuche;Absprünge", "2025-03-01;1;1;0"]],
  ["matomo", "a.json", ['{"nb_uniq_visitors":1,"nb_visits":1,"date":"2025-03-01"}']],
  ["fathom", "Site.csv", ["Timestamp,Pageviews,Visits,Avg Duration,Bounce Rate", "2025-03-01 09:00:00,2,1,30,0.5"]],
  ["fathom", "a.csv", ["Date,Country,Pageviews,Visits,Uniques", "2025-03-01,DE,2,1,1"]],
  ["simple_analytics", "a.csv", ["added_iso,path,is_unique", "2025-03-01T09:00:00Z,/,true"]],
  ["simple_analytics", "a.csv", ["added_iso,datapoint,path", "2025-03-01T09:00:00Z,signup,/"]],
  ["goatcounter", "a.csv", ["2Path,Title,Event,UserAgent,Browser,System,Session,Bot", "/,Home,0,,,,1a-2b,0"]],
  ["goatcounter", "e/hit_stats.jsonl", ['{"hour":"2025-03-01T09:00:00Z","path_id":1,"ref_id":2,"count":4}']],
];

test("an export of each service is recognised by what it has, with any separator, and not as one of another", async () => {
  for (const [service, name, lines] of EXPORTS) {
    const head = await readHead({ name, lines: linesOf(lines) });
    expect([name, lines[0], serviceOf([head])]).toEqual([name, lines[0], service]);
  }
});

test("a file is closed when only its beginning was read", async ({ expect }) => {
  for (const [, name, lines] of EXPORTS) {
    let isOpen = true;
    const many = Array.from({ length: 100 }, () => lines.at(-1) ?? "");
    await readHead({ name, lines: linesOf([...lines, ...many], () => (isOpen = false)) });
    await expect.poll(() => isOpen).toBe(false);
  }
});

async function* linesOf(lines: readonly string[], close = (): unknown => undefined) {
  try {
    for (const text of lines) yield { text };
  } finally {
    close();
  }
}
