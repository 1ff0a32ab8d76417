import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { PURPOSES, type Purpose } from "@/lib/ingest/event/verdict";
import { readSiteDomain } from "@/lib/platform/domain-names";
import type { Env } from "@/lib/platform/env";
import { OperatorError } from "@/lib/platform/errors";
import { addressRanges } from "@/lib/platform/networks";
import { processWide } from "@/lib/platform/process-wide";

/** The operator's own entries, which are added to the bundled lists and take precedence. */

const MAX_ENTRIES = 10_000;
const text = z.string().trim().min(1).max(100);
const token = text.regex(/^[A-Za-z0-9][\w .+-]*\*?$/, "must be the robot's name in its user agent, such as ExampleBot");
const purpose = z.enum(Object.keys(PURPOSES) as [Purpose, ...Purpose[]]);
const robot = z.strictObject({ token, operator: text, purpose });
const host = z.string().transform((typed, context) => {
  const read = readSiteDomain(typed);
  if ("host" in read) return read.host;
  context.addIssue({ code: "custom", message: read.fault });
  return z.NEVER;
});
const ranges = z.array(z.union([z.cidrv4(), z.cidrv6()], "must be a range, such as 192.0.2.0/24")).max(MAX_ENTRIES);
const entries = <T extends z.ZodType>(entry: T) => z.array(entry).max(MAX_ENTRIES).default([]);

const entriesShape = z.strictObject({
  ai_agents: entries(robot),
  crawlers: entries(robot),
  crawler_addresses: entries(z.strictObject({ agents: z.array(token).min(1), ranges })),
  data_centres: entries(z.strictObject({ network: text, ranges })),
  referrer_spam: entries(host),
  signature_agents: entries(z.strictObject({ host, token, operator: text, purpose })),
});
type OwnEntries = z.output<typeof entriesShape>;

/** An operator whose agents sign requests by keys that this host publishes. */
export interface SignatureAgent {
  host: string;
  token: string;
  operator: string;
  purpose: string;
}

/** The entries as they are looked up. */
export interface OwnLists {
  /** The file, and when it was written; null without one. */
  file: { path: string; date: string; entries: number } | null;
  crawlers: OwnEntries["crawlers"];
  aiAgents: OwnEntries["ai_agents"];
  spam: ReadonlySet<string>;
  networkOf(address: string): string | null;
  addresses: ReadonlyMap<string, (address: string) => boolean>;
  signatureAgents: readonly SignatureAgent[];
}

function compile(own: OwnEntries, file: OwnLists["file"]): OwnLists {
  const networks = own.data_centres.map(({ network, ranges }) => ({ network, contains: addressRanges(ranges) }));
  return {
    file,
    crawlers: own.crawlers,
    aiAgents: own.ai_agents,
    spam: new Set(own.referrer_spam),
    networkOf: (address) => networks.find(({ contains }) => contains(address))?.network ?? null,
    addresses: new Map(
      own.crawler_addresses.flatMap(({ agents, ranges }) => {
        const contains = addressRanges(ranges);
        return agents.map((agent) => [agent, contains] as const);
      }),
    ),
    signatureAgents: own.signature_agents,
  };
}

const state = processWide("own-lists", () => ({ lists: compile(entriesShape.parse({}), null) }));

/** Returns the operator's own entries; none before `bootOwnLists`. */
export const ownLists = (): OwnLists => state.lists;

/** Reads the operator's lists once, when a thread starts. @throws OperatorError that names the wrong field. */
export function bootOwnLists({ LISTS_FILE, DATA_DIR }: Pick<Env, "LISTS_FILE" | "DATA_DIR">): void {
  const file = LISTS_FILE ?? path.join(DATA_DIR, "lists.json");
  if (!existsSync(file)) {
    if (LISTS_FILE === undefined) return;
    throw new OperatorError(`LISTS_FILE names ${file}, which does not exist. Create it, or unset LISTS_FILE.`);
  }
  const own = parseOwnLists(readFileSync(file, "utf8"), file);
  const count = Object.values(own).reduce((sum, list) => sum + list.length, 0);
  const date = statSync(file).mtime.toISOString().slice(0, 10);
  state.lists = compile(own, { path: file, date, entries: count });
}

/** Parses the operator's lists. @throws OperatorError that names the wrong field and the way out. */
export function parseOwnLists(json: string, file: string): OwnEntries {
  const refuse = (why: string) => {
    throw new OperatorError(`${file}: ${why}. Correct it, or move the file away; docs/operating.md has its form.`);
  };
  let read: unknown;
  try {
    read = JSON.parse(json);
  } catch (error) {
    return refuse(`is no JSON: ${(error as Error).message}`);
  }
  const parsed = entriesShape.safeParse(read);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("") ?? "";
  return refuse(`${place.replace(/^\./, "") || "the file"}: ${issue?.message}`);
}
