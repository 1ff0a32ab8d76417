"use client";

import { useButtonAction } from "@/components/actions/actions";
import { type Key, useOptimisticRows } from "@/components/actions/optimistic-rows";
import type { ActionId, ActionInput } from "@/components/actions/typed";

/**
 * Removes rows of a list optimistically: a row disappears at once and returns if the operation fails, with a toast.
 *
 * @param rows the rows on the server.
 * @param keyOf returns a unique key of a row.
 * @param inputOf returns the operation's input for a row.
 * @returns the rows to show, `remove`, which returns whether it succeeded, and `change` for other changes of a row.
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

  return { shown, change, remove };
}
