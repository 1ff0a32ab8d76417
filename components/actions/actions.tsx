"use client";

import { useRouter } from "next/navigation";
import { type ChangeEvent, createContext, type ReactNode, use, useMemo, useRef, useState } from "react";
import { MESSAGES } from "@/components/actions/messages";
import { sender } from "@/components/actions/send";
import type { ActionData, ActionId, ActionInput } from "@/components/actions/typed";
import { type FormProblems, problemsOf } from "@/components/ui/form-problems";
import { lateDialog } from "@/components/ui/late";
import { AWAY, useToast } from "@/components/ui/toaster";
import { Refusal } from "@/lib/platform/errors";

const Reauthenticate = lateDialog(
  () => import("@/components/actions/reauthenticate"),
  ({ onDone }) => onDone(false),
);

type Data = Record<string, unknown>;
type Perform = (id: string, input: object) => Promise<Data>;

const Context = createContext<Perform>(() => Promise.reject(new Error("There is no <Actions> around this")));

interface Props {
  /** Proves to the server that one of our own pages asks. */
  csrf: string;
  /** Whose page it is. */
  personId: number;
  /** Whether the person has a second factor to show. */
  secondFactor: boolean;
  children: ReactNode;
}

/**
 * Lets what is inside call operations. When one asks for a fresh sign-in, the password is asked for right here and the call
 * goes on: nothing that was typed or ticked is lost.
 */
export function Actions({ csrf, personId, secondFactor, children }: Props) {
  const send = useMemo(() => sender(csrf, personId), [csrf, personId]);
  const [asking, setAsking] = useState(false);
  const proven = useRef<(yes: boolean) => void>(undefined);

  async function perform(id: string, input: object): Promise<Data> {
    try {
      return await send(id, input);
    } catch (error) {
      if (!(error instanceof Refusal && error.code === "reauthentication_required")) throw error;
      setAsking(true);
      const yes = await new Promise<boolean>((answered) => {
        proven.current = answered;
      });
      setAsking(false);
      if (!yes) throw error;
      return send(id, input);
    }
  }

  return (
    <Context value={perform}>
      {children}
      {asking && (
        <Reauthenticate
          secondFactor={secondFactor}
          prove={(typed) => send("session.reauthenticate", typed)}
          onDone={(yes) => proven.current?.(yes)}
        />
      )}
    </Context>
  );
}

/** What came of an operation: its data, or why it was refused. */
type Outcome<Id extends ActionId> =
  | { data: ActionData<Id> }
  /** `unreached`: there was no answer, and it may have been done or not. */
  | { problems: FormProblems; unreached: boolean };

/** One operation, for whoever says themselves what came of it. */
export function useOutcome<Id extends ActionId>(id: Id, fieldOfCode: Record<string, string> = {}) {
  const send = useSaying(id);
  const [busy, setBusy] = useState(false);

  async function perform(input: ActionInput<Id>): Promise<Outcome<Id>> {
    setBusy(true);
    try {
      return { data: await send(input) };
    } catch (error) {
      if (error instanceof Refusal) return { problems: problemsOf(error, fieldOfCode), unreached: false };
      return { problems: { fields: {}, message: OFFLINE }, unreached: true };
    } finally {
      setBusy(false);
    }
  }

  return { perform, busy };
}

/**
 * One operation, for a form or a button. `perform` answers with its data, or with null when it was refused; then
 * `problems` says what to show. `fieldOfCode` puts a refusal without a field of its own beside one.
 */
export function useAction<Id extends ActionId>(id: Id, fieldOfCode: Record<string, string> = {}) {
  const { perform: send, busy } = useOutcome(id, fieldOfCode);
  const [problems, setProblems] = useState<FormProblems>({ fields: {} });

  async function perform(input: ActionInput<Id>): Promise<ActionData<Id> | null> {
    setProblems({ fields: {} });
    const outcome = await send(input);
    if ("data" in outcome) return outcome.data;
    setProblems(outcome.problems);
    return null;
  }

  return { perform, busy, problems };
}

/**
 * The same for a button or a switch without a form: a toast says why it was refused. Where the server could not be
 * reached it offers to try again, so it is for operations that may run twice: the first may have arrived.
 */
export function useButtonAction<Id extends ActionId>(id: Id) {
  const { perform: send, busy } = useOutcome(id);
  const say = useToast();

  async function perform(input: ActionInput<Id>, again: () => void): Promise<ActionData<Id> | null> {
    const outcome = await send(input);
    if ("data" in outcome) return outcome.data;
    if (outcome.unreached) say({ text: AWAY, bad: true, stays: true, action: { label: "Try again", act: again } });
    else say({ text: reasonOf(outcome.problems), bad: true });
    return null;
  }

  return { perform, busy };
}

/**
 * Something that is on or off: it changes at once, and goes back when that was refused. Not `useOptimistic`: a link that is
 * followed meanwhile would wait for the answer. `known` is what the server says.
 */
export function useToggle<Id extends ActionId>(id: Id, known: boolean, inputOf: (on: boolean) => ActionInput<Id>) {
  const { perform, busy } = useButtonAction(id);
  const [state, setState] = useState({ shown: known, known });
  const router = useRouter();
  if (state.known !== known) setState({ shown: known, known });

  async function turn(next: boolean) {
    if (busy) return;
    setState({ shown: next, known });
    if ((await perform(inputOf(next), () => turn(next))) !== null) router.refresh();
    else setState({ shown: known, known });
  }

  return { on: state.shown, busy, turn };
}

/** The same as the properties of a switch. */
export function useSwitch<Id extends ActionId>(id: Id, known: boolean, inputOf: (on: boolean) => ActionInput<Id>) {
  const { on, busy, turn } = useToggle(id, known, inputOf);
  return {
    checked: on,
    "aria-busy": busy,
    onChange: (event: ChangeEvent<HTMLInputElement>) => void turn(event.target.checked),
  };
}

/** Calls an operation, and says what it has done where that cannot be seen. */
function useSaying<Id extends ActionId>(id: Id): (input: ActionInput<Id>) => Promise<ActionData<Id>> {
  const send = use(Context);
  const say = useToast();
  return async (input) => {
    const data = await send(id, input as object);
    const message = MESSAGES[id];
    if (message) say({ text: typeof message === "string" ? message : message(input as Data) });
    return data as ActionData<Id>;
  };
}

/** The first sentence of what is wrong. */
export const reasonOf = ({ message, fields }: FormProblems): string =>
  message ?? Object.values(fields)[0] ?? "That was refused.";

const OFFLINE = `${AWAY} Check your connection and try again.`;
