"use client";

import { useButtonAction } from "@/components/actions/actions";
import { type Key, useOptimisticRows } from "@/components/actions/optimistic-rows";
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
  keyOf: (row: Row) => Key,
  inputOf: (row: Row) => ActionInput<Id>,
) {
  const { perform } = useButtonAction(id);
  const { shown, change } = useOptimisticRows(rows, keyOf);

  async function remove(row: Row): Promise<boolean> {
    const settle = change(keyOf(row), null);
    const done = (await perform(inputOf(row), () => void remove(row))) !== null;
    settle(done);
    return done;
  }

  return { shown, remove };
}
