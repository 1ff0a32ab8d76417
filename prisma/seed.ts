import { randomBytes } from "node:crypto";
import { createPerson } from "@/lib/auth/create-person";
import { parseArguments, runCommand, UsageError } from "@/lib/cli/command";
import type { FunnelStep } from "@/lib/contract/funnel-steps";
import { execute } from "@/lib/gateway/execute";
import { measuredShape, toSentEvent } from "@/lib/ingest/api/measured-event";
import { readEventBody } from "@/lib/ingest/event/sent-event";
import { deleteExpiredSalts, saltsFor } from "@/lib/ingest/identity/salts";
import { decideEvent } from "@/lib/ingest/pipeline/pipeline";
import { type IngestSite, siteByDomain } from "@/lib/ingest/site/sites";
import { reserveTimestamps } from "@/lib/ingest/store/arrival-time";
import { countOutcome, flushIngestStats } from "@/lib/ingest/store/ingest-stats";
import { writer } from "@/lib/ingest/store/writer";
import sitesCreate from "@/lib/operations/sites.create";
import sitesExperimentsSave from "@/lib/operations/sites.experiments.save";
import sitesFunnelsSave from "@/lib/operations/sites.funnels.save";
import sitesGoalsSave from "@/lib/operations/sites.goals.save";
import { closeDatabase, db, openDatabase } from "@/lib/platform/db";
import { DAY_MS } from "@/lib/platform/durations";
import { bootEnv, type Env } from "@/lib/platform/env";
import { OperatorError } from "@/lib/platform/errors";
import { log } from "@/lib/platform/log";
import { bootSecrets } from "@/lib/platform/secrets";
import { localDay, startOfDay } from "@/lib/platform/time";
import { startPostgres } from "@/lib/postgres/start";
import { checkPooler } from "@/lib/server/check-pooler";
import { migrate } from "@/lib/server/migrate";
import { DEMO_SITES, type DemoEvent, type DemoSite, eventsOf } from "@/prisma/demo";
import { dice } from "@/prisma/dice";
import { EXPERIMENT, VARIANTS } from "@/prisma/shopping";

/** `npm run seed`: creates a person with two sites and the events of the last days. */

const EMAIL = "demo@footfall.example";
const DAYS = 60;
const USAGE = `npm run seed   creates ${EMAIL} with two sites and the events of the last ${DAYS} days
  --days <number>   of fewer days, in less time
  DATABASE_URL or DATA_DIR select the installation, as for npm start`;
/** Events that are passed to the writer at the same time; it writes up to 1,000 per transaction. */
const BATCH_SIZE = 2_000;

let stopping = false;
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => (stopping = true));

/** Opens the database like the server, fills it, and closes it. */
async function seed(): Promise<void> {
  const days = readDays();
  const env = bootEnv();
  log.level = env.LOG_LEVEL;
  bootSecrets(env);
  const postgres = env.DATABASE_URL ? null : await startPostgres(env.DATA_DIR);
  try {
    const url = postgres?.url ?? (env.DATABASE_URL as string);
    if (env.DATABASE_URL) await checkPooler("DATABASE_URL", url);
    await migrate(url);
    openDatabase(url);
    await fill(env, days, new Date());
  } finally {
    await closeDatabase();
    await postgres?.stop();
  }
}

function readDays(): number {
  const { values, positionals } = parseArguments(USAGE, { days: { type: "string", default: `${DAYS}` } });
  const days = Number(values.days);
  if (positionals.length > 0) throw new UsageError(USAGE);
  if (!Number.isInteger(days) || days < 1 || days > DAYS) {
    throw new UsageError(`--days must be a whole number from 1 to ${DAYS}.`);
  }
  return days;
}

async function fill(env: Env, days: number, now: Date): Promise<void> {
  if (await db().person.findUnique({ where: { email: EMAIL } })) {
    throw new OperatorError(
      `The demo data already exists: ${EMAIL} has an account. To create it again, set DATA_DIR to another folder, or ` +
        "DATABASE_URL to another database.",
    );
  }
  const began = new Date(now.getTime() - days * DAY_MS);
  const password = randomBytes(12).toString("base64url");
  const { personId } = await createPerson({ email: EMAIL, password, name: "Demo" }, began);
  print(`Sign in as ${EMAIL} with the password ${password} (shown only once).`);
  for (const demo of DEMO_SITES) {
    const { domain, name, timezone } = demo;
    const input = { domain, name, timezone, public: false };
    const { data } = await execute(sitesCreate, { principal: { kind: "owner", personId }, input, now: began });
    if (demo.sells) await saveObjects(personId, data.site_id, began);
    await fillSite(demo, days, now);
  }
  // Deletes the salts of past days, as the server would have done.
  await deleteExpiredSalts(now);
  print(stopping ? "Stopped early; the written events are kept." : `Next: npm start, then open ${env.BASE_URL}/login`);
}

/** Saves a goal, a funnel and an experiment for the shop. */
async function saveObjects(personId: number, site_id: number, now: Date): Promise<void> {
  const by = { principal: { kind: "owner", personId }, now } as const;
  const reached_by = { kind: "event", pattern: "purchase" };
  await execute(sitesGoalsSave, { ...by, input: { site_id, name: "Purchase", reached_by } });
  await execute(sitesFunnelsSave, { ...by, input: { site_id, name: "Purchase funnel", steps: BUYING } });
  const variants = VARIANTS.map((name) => ({ name, weight: 1 }));
  await execute(sitesExperimentsSave, { ...by, input: { site_id, name: EXPERIMENT, variants, goal: "Purchase" } });
}

const BUYING: FunnelStep[] = [
  { kind: "event", pattern: "product_viewed", name: "Product view" },
  { kind: "event", pattern: "cart_added", name: "Add to cart" },
  { kind: "event", pattern: "checkout_started", name: "Checkout" },
  { kind: "event", pattern: "purchase", name: "Purchase" },
];

/** Writes the events of a site day by day: each day has its own salt, and visits may continue after midnight. */
async function fillSite(demo: DemoSite, days: number, now: Date): Promise<void> {
  const site = (await siteByDomain(demo.domain)) as IngestSite;
  const random = dice(demo.seed);
  const today = localDay(now, demo.timezone);
  let pending: DemoEvent[] = [];
  let stored = 0;
  for (let age = days - 1; age >= 0 && !stopping; age--) {
    const day = today.subtract({ days: age });
    const [start, end] = [day, day.add({ days: 1 })].map((date) => startOfDay(date, demo.timezone).getTime()) as [
      number,
      number,
    ];
    const events = [...pending, ...eventsOf(demo, { start, end, weekday: day.dayOfWeek, age }, random)];
    const until = Math.min(end, now.getTime());
    pending = events.filter(({ at }) => at >= until);
    stored += await write(
      site,
      events.filter(({ at }) => at < until).sort((a, b) => a.at - b.at),
    );
  }
  await flushIngestStats();
  print(`${demo.domain}: ${stored} events of the last ${days} days.`);
}

/** Processes and writes events, in order of time, with the same pipeline and writer as events from the web. */
async function write(site: IngestSite, events: readonly DemoEvent[]): Promise<number> {
  let stored = 0;
  for (let first = 0; first < events.length; first += BATCH_SIZE) {
    const outcomes: Promise<void>[] = [];
    for (const { at, event, sender, fromServer } of events.slice(first, first + BATCH_SIZE)) {
      const now = new Date(at);
      const read = fromServer
        ? toSentEvent(measuredShape.parse(event)).event
        : readEventBody({ domain: site.domains[0], ...event });
      const processed = decideEvent(read, {
        site,
        salts: await saltsFor(site, now),
        sender,
        now,
        timestamp: reserveTimestamps(now, 1),
      });
      const outcome =
        "filtered" in processed ? { status: "filtered" as const, reason: processed.filtered } : writer.write(processed);
      outcomes.push(
        Promise.resolve(outcome).then((known) => {
          countOutcome(site.id, now, known.status, "reason" in known ? known.reason : "");
          if (known.status === "stored") stored++;
        }),
      );
    }
    await Promise.all(outcomes);
  }
  return stored;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

await runCommand(seed);
