"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useButtonAction } from "@/components/actions/actions";
import type { ActionId, ActionInput } from "@/components/actions/typed";

/**
 * Removes rows of a list optimistically: a row disappears at once and returns if the operation fails, with a toast.
 *
 * @param rows the rows on the server.
 * @param keyOf returns a unique key of a row.
 * @param inputOf returns the operation's input for a row.
 * @returns the rows to show, and `remove`, which returns whether it succeeded.
 */
export function useRemoval<Row, Id extends ActionId>(
  id: Id,
  rows: readonly Row[],
  keyOf: (row: Row) => string | number,
  inputOf: (row: Row) => ActionInput<Id>,
) {
  const { perform } = useButtonAction(id);
  const [removed, setRemoved] = useState<ReadonlySet<string | number>>(new Set());
  const router = useRouter();
  // Forget rows that the server has removed: a row with the same key may be added again.
  const pending = new Set(rows.map(keyOf).filter((key) => removed.has(key)));
  if (pending.size < removed.size) setRemoved(pending);

  async function remove(row: Row): Promise<boolean> {
    const key = keyOf(row);
    setRemoved((before) => new Set(before).add(key));
    const done = (await perform(inputOf(row), () => void remove(row))) !== null;
    if (!done) setRemoved((before) => new Set([...before].filter((other) => other !== key)));
    // Also after an error: the list may have changed.
    if (navigator.onLine) router.refresh();
    return done;
  }

  return { shown: rows.filter((row) => !pending.has(keyOf(row))), remove };
}
