"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { reasonOf, useOutcome } from "@/components/actions/actions";
import type { Key } from "@/components/actions/optimistic-rows";
import { useRemoval } from "@/components/actions/removal";
import type { ActionData, ActionInput } from "@/components/actions/typed";
import type { FormProblems } from "@/components/ui/form-problems";
import { UNREACHABLE, useToast } from "@/components/ui/toaster";
import { t } from "@/lib/texts/translate";

type SavedKind = "annotations" | "dashboards" | "experiments" | "goals" | "segments";

interface Options<Kind extends SavedKind, Row, Draft> {
  siteId: number;
  kind: Kind;
  /** The saved rows from the server. */
  rows: readonly Row[];
  /** The fields that the dialog shows with their errors. */
  fields: readonly string[];
  /** Returns the input that saves a draft. */
  inputOf(draft: Draft): ActionInput<`sites.${Kind}.save`>;
}

/** The content of an open dialog. */
interface Opened<Draft> {
  draft: Draft;
  problems: FormProblems;
}

/** The props of a dialog that edits a draft. */
export interface EditProps<Draft> extends Opened<Draft> {
  busy: boolean;
  onSave(draft: Draft): unknown;
  onCancel(): void;
}

/** The result of `useSavedList`. */
export interface SavedList<Row, Draft> {
  shown: Row[];
  /** The props of the dialog; null while it is closed. */
  editing: EditProps<Draft> | null;
  open(draft: Draft): void;
  save(draft: Draft): Promise<unknown>;
  /** @returns whether it was deleted */
  remove(row: Row): Promise<boolean>;
}

/**
 * The saved objects of one kind of a site, and the dialog that edits one. Changes and deletions show at once: the dialog
 * closes, and if the server refuses, the row is restored and a toast shows the error with a button back to the input. The
 * dialog of a new object stays open until it is saved.
 */
export function useSavedList<Kind extends SavedKind, Row extends { id: Key }, Draft extends { id: Row["id"] | null }>({
  siteId,
  kind,
  rows,
  fields,
  inputOf,
}: Options<Kind, Row, Draft>) {
  type Save = `sites.${Kind}.save`;
  type Delete = `sites.${Kind}.delete`;
  const { shown, change, remove } = useRemoval<Row, Delete>(
    `sites.${kind}.delete`,
    rows,
    ({ id }) => id,
    ({ id }) => ({ site_id: siteId, id }) as ActionInput<Delete>,
  );
  const saving = useOutcome<Save, string>(`sites.${kind}.save`, { fields });
  const [opened, setOpened] = useState<Opened<Draft> | null>(null);
  const showToast = useToast();
  const router = useRouter();

  const close = () => setOpened(null);

  async function save(draft: Draft): Promise<ActionData<Save> | null> {
    const row = shown.find(({ id }) => id === draft.id);
    const settle = row && change(row.id, { ...row, ...draft });
    if (row) close();
    const outcome = await saving.perform(inputOf(draft));
    settle?.("data" in outcome);
    if ("data" in outcome) {
      if (!row) {
        close();
        router.refresh();
      }
      return outcome.data;
    }
    const { problems, unreached } = outcome;
    if (!row) setOpened({ draft, problems });
    else if (unreached)
      showToast({ ...REFUSED, text: t(UNREACHABLE), action: { label: t("Try again"), act: () => void save(draft) } });
    else {
      const edit = { label: t("Edit again"), act: () => setOpened({ draft, problems }) };
      showToast({ ...REFUSED, text: t("Not saved. {reason}", { reason: reasonOf(problems) }), action: edit });
    }
    return null;
  }

  return {
    shown,
    editing: opened && { ...opened, busy: saving.busy, onSave: save, onCancel: close },
    open: (draft: Draft) => setOpened({ draft, problems: { fields: {} } }),
    close,
    save,
    remove,
  };
}

const REFUSED = { bad: true, persistent: true };
