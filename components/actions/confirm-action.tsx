"use client";

import type { ReactNode } from "react";
import { useAction } from "@/components/actions/actions";
import type { ActionData, ActionId, ActionInput } from "@/components/actions/typed";
import { Confirm } from "@/components/ui/confirm";

interface Props<Id extends ActionId> {
  operation: Id;
  input: ActionInput<Id>;
  title: string;
  /** Label of the confirm button. */
  action: string;
  children: ReactNode;
  onDone(data: ActionData<Id>): void;
  onCancel(): void;
}

/** Dialog that calls an operation when it is confirmed, and stays open with the error if that fails. */
export function ConfirmAction<Id extends ActionId>({ operation, input, onDone, onCancel, ...confirm }: Props<Id>) {
  const { perform, busy, problems } = useAction(operation);

  async function go() {
    const data = await perform(input);
    if (data) onDone(data);
  }

  return <Confirm {...confirm} busy={busy} problem={problems.message} onYes={go} onCancel={onCancel} />;
}
