"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { keepFocus } from "@/components/ui/focus";

export type Key = string | number;

interface Change<Row> {
  /** null for a removed row. */
  row: Row | null;
  /** The rows shown when the server finished; the next rows from the server include the change. */
  until?: readonly Row[];
}

/**
 * The rows of a list with pending changes applied at once. Not `useOptimistic`, because a navigation meanwhile would wait
 * for the response.
 *
 * @param rows the rows from the server.
 * @param keyOf returns the unique key of a row.
 */
export function useOptimisticRows<Row>(rows: readonly Row[], keyOf: (row: Row) => Key) {
  const [changes, setChanges] = useState<ReadonlyMap<Key, Change<Row>>>(new Map());
  const latest = useRef(rows);
  const restoreFocus = useRef<(() => void) | null>(null);
  const router = useRouter();
  useEffect(() => {
    latest.current = rows;
  }, [rows]);
  // Runs after a removed row has gone.
  useEffect(() => {
    if (changes.size > 0) restoreFocus.current?.();
    restoreFocus.current = null;
  }, [changes]);
  const withoutDone = (all: ReadonlyMap<Key, Change<Row>>) =>
    new Map([...all].filter(([, { until }]) => until === undefined || until === rows));
  const pending = withoutDone(changes);
  // Not `pending` itself: rows from the server are rendered in the background, and a change may have been made meanwhile.
  if (pending.size < changes.size) setChanges(withoutDone);

  /** Puts a change in place of another of the same row, unless a later one has taken its place; null for none. */
  const put = (key: Key, next: Change<Row> | null, instead?: Change<Row>) =>
    setChanges((before) => {
      if (instead && before.get(key) !== instead) return before;
      const others = [...before].filter(([other]) => other !== key);
      return new Map(next ? [...others, [key, next]] : others);
    });

  /** Shows a changed row, or none for null. @returns a function to call with whether the server made the change. */
  function change(key: Key, row: Row | null): (done: boolean) => void {
    if (!row) restoreFocus.current = keepFocus(document.activeElement);
    const own = { row };
    put(key, own);
    return (done) => {
      put(key, done ? { row, until: latest.current } : null, own);
      // Also after a refusal, because the list may have changed.
      if (navigator.onLine) router.refresh();
    };
  }

  const shown = rows.flatMap((row) => {
    const changed = pending.get(keyOf(row));
    return changed ? (changed.row ?? []) : row;
  });
  return { shown, change };
}
