import { request } from "playwright";
import { describeMachine, print, query, withBenchServer } from "@/bench/support/bench-server";
import { forms } from "@/e2e/support/forms";
import { hashPassword } from "@/lib/auth/password";

/**
 * `npm run bench sites [sites [visits]]`: response times of the list of sites with so many sites (default 500) and
 * visits in the last two weeks (default 300,000), sorted by name, visitors and active visitors.
 */
const [sites = "500", visits = "300000"] = process.argv.slice(2).filter((value) => /^\d+$/.test(value));
const TIMES = 15;
const PERSON = { email: "bench@footfall.example", password: "a password of the bench's" };

describeMachine();
await withBenchServer(async ({ url, database }) => {
  const hash = await hashPassword(PERSON.password);
  await query(database, `UPDATE person SET password_hash = '${hash}', email_confirmed_at = now()`);
  await makeSites(database);
  // Cookies are bound to the public URL.
  const baseURL = url.replace("127.0.0.1", "localhost");
  const context = await request.newContext({ baseURL });
  await forms(context, baseURL).signIn(PERSON);
  for (const path of ["/sites", "/sites?sort=visitors", "/sites?sort=live", "/sites?q=client+237"]) {
    const times: number[] = [];
    for (let turn = 0; turn <= TIMES; turn++) {
      const begin = performance.now();
      const response = await context.get(path);
      await response.body();
      if (response.status() !== 200) throw new Error(`${path} returned ${response.status()}`);
      // The first page of a kind includes JIT compilation.
      if (turn > 0) times.push(Math.round(performance.now() - begin));
    }
    times.sort((a, b) => a - b);
    print(`${path}: median ${times[Math.floor(TIMES / 2)]} ms, slowest ${times.at(-1)} ms`);
  }
  await context.dispose();
});

/** Creates sites of one account in five timezones; the nth has an nth of the visits of the first. */
async function makeSites(database: string): Promise<void> {
  await query(
    database,
    "SELECT facts.add_month((now() - interval '15 days')::date), facts.add_month((now() + interval '1 day')::date)",
  );
  await query(
    database,
    `WITH made AS (
       INSERT INTO site (name, timezone, public, user_key)
       SELECT 'Client ' || n, (ARRAY['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Tokyo', 'Australia/Sydney'])[1 + n % 5],
         false, '' FROM generate_series(1, ${sites}) AS n RETURNING id, substr(name, 8)::int AS n),
     domain AS (
       INSERT INTO site_domain (site_id, host, is_primary)
       SELECT id, 'client-' || translate(id::text, '0123456789', 'abcdefghij') || '.example', true FROM made),
     member AS (
       INSERT INTO membership (site_id, person_id, role) SELECT made.id, person.id, 'owner' FROM made, person),
     share AS (SELECT id, (1.0 / n) / sum(1.0 / n) OVER () AS part FROM made)
     INSERT INTO facts.visit (started, visit_id, visitor_id, site_id, duration_ms, entry_page, exit_page, referrer, campaign,
       place, agent, pageviews, interactions, traffic)
     SELECT now() - random() * interval '14 days', visit, hashint8extended(visit, 1), id, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1
     FROM share, generate_series(1, ceil(part * ${visits})::int) AS visit`,
  );
  await query(database, "VACUUM ANALYZE");
}
