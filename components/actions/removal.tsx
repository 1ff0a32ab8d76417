"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useButtonAction } from "@/components/actions/actions";
import type { ActionId, ActionInput } from "@/components/actions/typed";

/**
 * Removes rows of a list: a row is gone at once, and comes back when that was refused, which a toast says.
 *
 * @param rows what the server says is there.
 * @param keyOf what tells a row from the others.
 * @param inputOf what the operation is called with for a row.
 * @returns the rows to show, and `remove`, which answers whether it was done.
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
  // What the server has removed too may be added again under the same key.
  const pending = new Set(rows.map(keyOf).filter((key) => removed.has(key)));
  if (pending.size < removed.size) setRemoved(pending);

  async function remove(row: Row): Promise<boolean> {
    const key = keyOf(row);
    setRemoved((before) => new Set(before).add(key));
    const done = (await perform(inputOf(row), () => void remove(row))) !== null;
    if (!done) setRemoved((before) => new Set([...before].filter((other) => other !== key)));
    // Also where it was refused: the list may be another by now.
    if (navigator.onLine) router.refresh();
    return done;
  }

  return { shown: rows.filter((row) => !pending.has(keyOf(row))), remove };
}
