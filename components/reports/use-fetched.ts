"use client";

import { useEffect, useState } from "react";
import { UNREACHABLE } from "@/components/ui/toaster";
import { msg, t } from "@/lib/texts/translate";

/** Debounce of requests while the user types. */
const PAUSE_MS = 150;

interface Fetched<T> {
  /** The last answer, kept while the next request runs; null before the first. */
  answer: T | null;
  /** Error message of the last request. */
  problem: string | null;
  /** Whether the error is temporary (network, 429, 5xx), so that a retry can succeed. */
  failed: boolean;
  /** The URL of the last request. */
  answerUrl: string | null;
  waiting: boolean;
  /** Repeats the request. */
  retry(): void;
}

interface Options {
  pauseMs?: number;
  /** Skip the request for the first URL, because the page already has its answer. */
  known?: boolean;
}

/**
 * Fetches JSON from a URL of this service whenever the URL changes, after a debounce; `null` fetches nothing. Aborts
 * requests for earlier URLs.
 */
export function useFetched<T>(url: string | null, { pauseMs = PAUSE_MS, known = false }: Options = {}): Fetched<T> {
  const [state, setState] = useState<State<T>>({
    answer: null,
    problem: null,
    failed: false,
    answerUrl: known ? url : null,
    retryAfterMs: null,
  });
  const isAnswered = url === null || state.answerUrl === url;

  useEffect(() => {
    if (isAnswered) return;
    const controller = new AbortController();
    const request = async () => {
      try {
        const response = await fetch(url, { cache: "no-store", signal: controller.signal });
        const body = await response.json();
        setState({ ...outcomeOf<T>(response, body), answerUrl: url });
      } catch {
        if (!controller.signal.aborted) {
          setState({ answer: null, problem: t(UNREACHABLE), failed: true, answerUrl: url, retryAfterMs: null });
        }
      }
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    if (pauseMs > 0) timer = setTimeout(request, pauseMs);
    else request();
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [url, isAnswered, pauseMs]);

  const { retryAfterMs, ...fetched } = state;
  useEffect(() => {
    if (retryAfterMs === null) return;
    const timer = setTimeout(() => setState(unanswered), retryAfterMs);
    return () => clearTimeout(timer);
  }, [retryAfterMs]);
  return { ...fetched, waiting: !isAnswered, retry: () => setState(unanswered) };
}

/** The state in which the request is sent again. */
const unanswered = <T>(state: State<T>): State<T> => ({ ...state, answerUrl: null, retryAfterMs: null });

interface State<T> extends Omit<Fetched<T>, "waiting" | "retry"> {
  /** When to repeat the request by itself, as the server's Retry-After says; null for never. */
  retryAfterMs: number | null;
}

const REQUEST_FAILED = msg("The request failed. Try again.");

function outcomeOf<T>({ ok, status, headers }: Response, body: T & { error?: { message?: string } }) {
  if (ok) return { answer: body, problem: null, failed: false, retryAfterMs: null };
  const seconds = Number(headers.get("retry-after"));
  const problem = t(body.error?.message ?? REQUEST_FAILED);
  const isTemporary = status >= 500 || status === 429;
  return { answer: null, problem, failed: isTemporary, retryAfterMs: seconds > 0 ? seconds * 1000 : null };
}
