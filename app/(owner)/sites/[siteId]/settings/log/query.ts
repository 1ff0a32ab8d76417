import { supportedDay } from "@/lib/contract/fields";

/** What the page of a log asks for, from its address; empty for all. */
export interface LogQuery {
  /** The beginning of operations. */
  what: string;
  /** `people`, `agents` or the id of a person. */
  who: string;
  /** Local days. */
  from: string;
  to: string;
  cursor: string;
}

const matches = (pattern: RegExp) => (text: string) => pattern.test(text);
const isDay = (text: string) => supportedDay.safeParse(text).success;
const VALID: Record<keyof LogQuery, (text: string) => boolean> = {
  what: matches(/^[a-z_]{1,40}(\.[a-z_]{1,40}){0,4}$/),
  who: matches(/^(people|agents|[1-9]\d{0,8})$/),
  from: isDay,
  to: isDay,
  cursor: matches(/^\d{1,13}-\d{1,18}$/),
};

/** Reads the query of an address. What is not valid is left out, and two days in the wrong order are swapped. */
export function readLogQuery(query: Readonly<Record<string, string | string[] | undefined>>): LogQuery {
  const read = (name: keyof LogQuery): string => {
    const text = query[name];
    return typeof text === "string" && VALID[name](text) ? text : "";
  };
  const [from, to] = [read("from"), read("to")];
  const days = from !== "" && to !== "" && to < from ? { from: to, to: from } : { from, to };
  return { what: read("what"), who: read("who"), cursor: read("cursor"), ...days };
}

/** Returns the address of a page of a site's log. */
export function logUrl(siteId: number, asked: Partial<LogQuery> = {}): string {
  const query = new URLSearchParams(Object.entries(asked).filter(([, text]) => text !== ""));
  return `/sites/${siteId}/settings/log${query.size > 0 ? `?${query}` : ""}`;
}
