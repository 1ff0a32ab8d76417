"use client";

import { useRouter } from "next/navigation";
import { useButtonAction } from "@/components/actions/actions";
import { type Key, useOptimisticRows } from "@/components/actions/optimistic-rows";
import type { ActionId, ActionInput } from "@/components/actions/typed";
import { useToast } from "@/components/ui/toaster";
import { t } from "@/lib/texts/translate";

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

/** Returns a function that offers, in a toast, to add a removed row again with an operation. */
export function useUndo<Row, Id extends ActionId>(id: Id, inputOf: (row: Row) => ActionInput<Id>) {
  const { perform } = useButtonAction(id);
  const showToast = useToast();
  const router = useRouter();

  async function restore(row: Row) {
    await perform(inputOf(row), () => restore(row));
    router.refresh();
  }

  return (text: string, row: Row) => showToast({ text, action: { label: t("Undo"), act: () => restore(row) } });
}
