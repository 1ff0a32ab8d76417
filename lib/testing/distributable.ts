import { readFileSync } from "node:fs";
import pg from "pg";

/**
 * Checks that Citus can run the statements that the suite sends, without a Citus at hand: `setup.ts` records them and
 * fails the file that sent one that breaks a rule.
 */

const FUNCTIONS = ["digest", "add_month"];
const CONTROL = [...readFileSync("prisma/schema.prisma", "utf8").matchAll(/@@map\("(\w+)"\)/g)].map(([, name]) => name);

const TABLE = new RegExp(`(?<!::)\\bfacts\\.(?!(?:${FUNCTIONS.join("|")})\\b)\\w+`, "g");
const ONE_SITE = /\bsite_id = (?:\$\d+|\d+)\b/g;
const EACH_SITE = /\bsite_id = (?:\$\d+\b|\d+\b|ANY ?\(|\w+\.\w+)|\w+\.\w+ = \w+\.site_id\b|USING \(site_id\b/g;
// A new month locks indexes of visits, then those of events, against transactions that have used them to change rows.
const VISITS_FIRST = "visits are written before their events are changed";
const CHANGES_EVENTS = /\b(UPDATE|DELETE FROM) facts\.event\b/;
const WRITES_VISITS = /\b(INSERT INTO|UPDATE|DELETE FROM) facts\.visit\b/;
const VISITS_AFTER_EVENTS = new RegExp(`${CHANGES_EVENTS.source}.*${WRITES_VISITS.source}`);
const LOCK = /\bFOR (?:NO KEY UPDATE|UPDATE|SHARE|KEY SHARE)\b/;

const countOf = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length;

/** Returns the rule that a statement breaks, or null. */
export function brokenRule(statement: string): string | null {
  const text = statement
    .replaceAll(/--.*$/gm, "")
    .replaceAll(/'[^']*'/g, "''")
    .replaceAll('"', "")
    .replaceAll(/\s+/g, " ")
    .trim();
  if (!/^(SELECT|WITH|INSERT|UPDATE|DELETE|COPY \()/i.test(text)) return null;
  const named = countOf(text, TABLE);
  // Rows are inserted on the node of their site.
  const restricted = named - countOf(text, /\bINSERT INTO facts\./g);
  if (named === 0) return null;
  const isOfOneSite = countOf(text, ONE_SITE) >= restricted;
  const isOnePass = named === 1 && !/\bJOIN\b|\bUSING\b|\bLIMIT\b|\bOVER \(/.test(text);
  if (!isOnePass && countOf(text, EACH_SITE) < restricted)
    return "each table of facts has a condition on its site: site_id = $1, or a join on site_id";
  if (VISITS_AFTER_EVENTS.test(text)) return VISITS_FIRST;
  if (LOCK.test(text) && !isOfOneSite) return "rows are locked for one site at a time";
  if (/\bSELECT FROM facts\./.test(text) && !isOfOneSite) return "a statement about several sites selects a column";
  if (/\bOVER \(/.test(text) && !isOfOneSite) return "a window has the rows of one site";
  if (subqueriesOf(text, "LATERAL").some((inner) => /\bfacts\./.test(inner) && /\bLIMIT\b/.test(inner)))
    return "no LATERAL has a LIMIT";
  const control = controlTablesIn(text);
  if (control.length > 0) return `facts are not joined with control tables: ${control.join(", ")}`;
  return null;
}

/** Returns the subqueries that follow a word. */
function subqueriesOf(text: string, word: string): string[] {
  return [...text.matchAll(new RegExp(`\\b${word} ?\\(`, "g"))].map(({ index, 0: found }) => {
    const start = index + found.length;
    let depth = 1;
    let end = start;
    while (depth > 0 && end < text.length) depth += { "(": 1, ")": -1 }[text[end++] as string] ?? 0;
    return text.slice(start, end);
  });
}

function controlTablesIn(text: string): string[] {
  const own = new Set(
    [...text.matchAll(/\b(\w+)(?: \([\w, ]+\))? AS (?:NOT )?(?:MATERIALIZED )?\(/g)].map(([, name]) => name),
  );
  const named = [...text.matchAll(/\b(?:FROM|JOIN|INTO|UPDATE|USING) (\w+)\b(?![.(])/g)].map(
    ([, name]) => name as string,
  );
  return [...new Set(named)].filter((name) => CONTROL.includes(name) && !own.has(name));
}

/** What a connection has done in its transaction. */
interface Transaction {
  wroteFacts: boolean;
  changedEvents: boolean;
}

const MAX_CHECKED = 10_000;

/** Records the statements of this process that Citus cannot run, with the rule that each breaks. */
export function recordStatements(): { takeFaults(): string[] } {
  const transactions = new WeakMap<pg.ClientBase, Transaction>();
  const checked = new Set<string>();
  let faults: string[] = [];
  const real = pg.Client.prototype.query;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [query] = args as [string | { text?: string }];
    const text = typeof query === "string" ? query : (query?.text ?? "");
    if (/^\s*(BEGIN|START TRANSACTION)\b/i.test(text))
      transactions.set(this, { wroteFacts: false, changedEvents: false });
    else if (/^\s*(COMMIT|ROLLBACK)\b(?! TO)/i.test(text)) transactions.delete(this);
    else if (text.includes("facts")) {
      const transaction = transactions.get(this);
      if (/\bfacts\.add_month\b/.test(text) && transaction?.wroteFacts)
        faults.push(`months are added before a transaction writes facts:\n${text}`);
      if (transaction?.changedEvents && WRITES_VISITS.test(text)) faults.push(`${VISITS_FIRST}:\n${text}`);
      if (transaction && CHANGES_EVENTS.test(text)) transaction.changedEvents = true;
      if (transaction && /\b(INSERT INTO|UPDATE|DELETE FROM) facts\./.test(text)) transaction.wroteFacts = true;
      if (!checked.has(text)) {
        if (checked.size >= MAX_CHECKED) checked.clear();
        checked.add(text);
        const rule = brokenRule(text);
        if (rule) faults.push(`${rule}:\n${text}`);
      }
    }
    return Reflect.apply(real, this, args);
  } as typeof real;
  return {
    takeFaults() {
      const taken = faults;
      faults = [];
      return taken;
    },
  };
}
