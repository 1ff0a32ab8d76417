import { z } from "zod";
import { env } from "@/lib/platform/env";
import { readJson } from "@/lib/platform/json";
import { type ApiCall, callApi, Unreachable } from "@/lib/platform/outbound/outbound";
import { ProviderFault } from "@/lib/search/faults";

/** Calls of the APIs of providers, whose answers are not trusted. */

const DEADLINE_MS = 30_000;
/** An answer of 25,000 rows has about 10 MB. */
const LARGEST_ANSWER = 32 * 1024 * 1024;
const LONGEST_WAIT_S = 24 * 3600;

export interface ProviderAnswer {
  status: number;
  /** Parsed JSON; undefined when the body is not JSON. */
  body: unknown;
  /** How many seconds the provider asks to wait. */
  retryAfterS: number | null;
}

/**
 * Calls a provider.
 *
 * @throws ProviderFault `unreachable`, also for every 5xx, `quota` for 429, `malformed` for an answer that is too large.
 */
export async function callProvider(
  url: string,
  call: Pick<ApiCall, "post" | "token">,
  limitBytes = LARGEST_ANSWER,
): Promise<ProviderAnswer> {
  const answer = await callApi(
    url,
    { ...call, limitBytes, deadlineMs: DEADLINE_MS },
    { standIn: env().SEARCH_STAND_IN },
  ).catch((error) => {
    throw error instanceof Unreachable ? new ProviderFault("unreachable") : error;
  });
  const { status, headers } = answer;
  const seconds = Number(headers["retry-after"]);
  const retryAfterS = seconds > 0 ? Math.min(seconds, LONGEST_WAIT_S) : null;
  if (status >= 500) throw new ProviderFault("unreachable", retryAfterS);
  if (status === 429) throw new ProviderFault("quota", retryAfterS);
  if (!answer.complete) throw new ProviderFault("malformed");
  return { status, body: jsonOf(answer.body), retryAfterS };
}

function jsonOf(body: Buffer): unknown {
  try {
    return readJson(body);
  } catch {
    return undefined;
  }
}

/** Checks an answer. @throws ProviderFault `malformed` */
export function readAnswer<T extends z.ZodType>(shape: T, body: unknown): z.output<T> {
  const read = shape.safeParse(body);
  if (!read.success) throw new ProviderFault("malformed");
  return read.data;
}

/** Of a 32-bit integer in the database. */
export const LARGEST_COUNT = 2 ** 31 - 1;

/** A count as providers send it, which may be a floating-point number. */
export const sentCount = z.number().min(0).max(LARGEST_COUNT).transform(Math.round);
