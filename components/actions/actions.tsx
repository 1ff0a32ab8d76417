"use client";

import { useRouter } from "next/navigation";
import { type ChangeEvent, createContext, type ReactNode, use, useMemo, useRef, useState } from "react";
import { type PageSession, sender } from "@/components/actions/send";
import type { ActionData, ActionId, ActionInput } from "@/components/actions/typed";
import { type FormFields, type FormProblems, problemsOf } from "@/components/ui/form-problems";
import { lazyDialog } from "@/components/ui/lazy";
import { UNREACHABLE, useToast } from "@/components/ui/toaster";
import { type ErrorCode, Refusal } from "@/lib/platform/errors";
import { t } from "@/lib/texts/translate";

const Reauthenticate = lazyDialog(() => import("@/components/actions/reauthenticate"));
const SignInAgain = lazyDialog(() => import("@/components/actions/sign-in-again"));

/** What the open dialog asks for: a proof that it is still the person, or a new session. */
type Question = "proof" | "session";
const QUESTIONS: ReadonlyMap<ErrorCode, Question> = new Map([
  ["reauthentication_required", "proof"],
  ["unauthenticated", "session"],
]);

type Data = Record<string, unknown>;
type Perform = (id: string, input: object | Blob) => Promise<Data>;

const ActionsContext = createContext<Perform>(() =>
  Promise.reject(new Error("useAction must be used inside <Actions>")),
);

interface Props {
  /** The session of the page; null without one, for entry operations. */
  session: PageSession | null;
  children: ReactNode;
}

/**
 * Lets its children call operations. If operations require reauthentication or the session has ended, one dialog asks
 * for a proof or a new sign-in, and all of them are repeated, so that no form input is lost.
 */
export function Actions({ session, children }: Props) {
  const send = useMemo(() => sender(session), [session]);
  const [question, setQuestion] = useState<Question | null>(null);
  const [isStillSignedOut, setStillSignedOut] = useState(false);
  /** The calls that wait for the answer to the open dialog, and how many proofs the page has had. */
  const waiting = useRef<((proven: boolean) => void)[]>([]);
  const proofs = useRef(0);

  function ask(next: Question): Promise<boolean> {
    setQuestion(next);
    return new Promise((resolve) => waiting.current.push(resolve));
  }

  function settle(proven: boolean) {
    setQuestion(null);
    setStillSignedOut(proven && question === "session");
    if (proven) proofs.current += 1;
    for (const resolve of waiting.current.splice(0)) resolve(proven);
  }

  async function perform(id: string, input: object | Blob): Promise<Data> {
    for (;;) {
      const before = proofs.current;
      try {
        const data = await send(id, input);
        setStillSignedOut(false);
        return data;
      } catch (error) {
        const next = error instanceof Refusal && QUESTIONS.get(error.code);
        if (!next) throw error;
        // A proof that was given while this call was under way counts for it too.
        if (proofs.current === before && !(await ask(next))) throw error;
      }
    }
  }

  return (
    <ActionsContext value={perform}>
      {children}
      {question === "session" && (
        <SignInAgain isStillSignedOut={isStillSignedOut} onDone={() => settle(true)} onCancel={() => settle(false)} />
      )}
      {question === "proof" && session && (
        <Reauthenticate proofs={session.proofs} onDone={() => settle(true)} onCancel={() => settle(false)} />
      )}
    </ActionsContext>
  );
}

/** The result of an operation: its data, or its errors. */
type Outcome<Id extends ActionId, Field extends string> =
  | { data: ActionData<Id> }
  /** `unreached`: no response arrived, so the operation may have run or not. */
  | { problems: FormProblems<Field>; unreached: boolean };

/**
 * Returns a function that sends a part of an upload.
 *
 * @throws Refusal for every error of the server; another error if it is not reached
 */
export function useUploadPart(): (fileId: string, offset: number, part: Blob) => Promise<void> {
  const send = use(ActionsContext);
  return async (fileId, offset, part) => {
    await send(`uploads/${fileId}?offset=${offset}`, part);
  };
}

/** Calls one operation; the caller reports its result. */
export function useOutcome<Id extends ActionId, const Field extends string = never>(
  id: Id,
  form: FormFields<Field> = {},
) {
  const send = useSendWithToast(id);
  const [busy, setBusy] = useState(false);

  async function perform(input: ActionInput<Id>): Promise<Outcome<Id, Field>> {
    setBusy(true);
    try {
      return { data: await send(input) };
    } catch (error) {
      if (error instanceof Refusal) return { problems: problemsOf(error, form), unreached: false };
      return {
        problems: {
          ...none<Field>(),
          message: t("The server could not be reached. Check your connection and try again."),
        },
        unreached: true,
      };
    } finally {
      setBusy(false);
    }
  }

  return { perform, busy };
}

/**
 * Calls one operation from a form. `perform` returns its data, or null if it failed; `problems` then holds the errors.
 *
 * @param form the fields that the form shows with their errors; `problems.message` has all other errors.
 */
export function useAction<Id extends ActionId, const Field extends string = never>(
  id: Id,
  form: FormFields<Field> = {},
) {
  const { perform: send, busy } = useOutcome(id, form);
  const [problems, setProblems] = useState<FormProblems<Field>>(none);

  async function perform(input: ActionInput<Id>): Promise<ActionData<Id> | null> {
    setProblems(none());
    const outcome = await send(input);
    if ("data" in outcome) return outcome.data;
    setProblems(outcome.problems);
    return null;
  }

  return { perform, busy, problems };
}

/**
 * Calls one operation from a button or a switch without a form: errors are shown as toasts. If the server cannot be
 * reached, the toast offers a retry. Only for operations that may run twice, because the first call may have arrived.
 */
export function useButtonAction<Id extends ActionId>(id: Id) {
  const { perform: send, busy } = useOutcome(id);
  const showToast = useToast();

  async function perform(input: ActionInput<Id>, again: () => void): Promise<ActionData<Id> | null> {
    const outcome = await send(input);
    if ("data" in outcome) return outcome.data;
    const retry = { label: t("Try again"), act: again };
    if (outcome.unreached) showToast({ text: t(UNREACHABLE), bad: true, persistent: true, action: retry });
    else showToast({ text: reasonOf(outcome.problems), bad: true });
    return null;
  }

  return { perform, busy };
}

/**
 * An optimistic on/off state: it changes at once and reverts if the operation fails. Does not use `useOptimistic`,
 * which would block navigation until the answer.
 *
 * @param known the state on the server.
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

/** Returns the props of a switch for `useToggle`. */
export function useSwitch<Id extends ActionId>(id: Id, known: boolean, inputOf: (on: boolean) => ActionInput<Id>) {
  const { on, busy, turn } = useToggle(id, known, inputOf);
  return {
    checked: on,
    "aria-busy": busy,
    onChange: (event: ChangeEvent<HTMLInputElement>) => void turn(event.target.checked),
  };
}

/** Calls an operation and shows a toast if its effect is not visible on the page (see `MESSAGES`). */
function useSendWithToast<Id extends ActionId>(id: Id): (input: ActionInput<Id>) => Promise<ActionData<Id>> {
  const send = use(ActionsContext);
  const showToast = useToast();

  async function tell(input: Data, data: Data) {
    // Loaded when something is done: most pages are only read.
    const loaded = await import("@/components/actions/messages").catch(() => null);
    const message = loaded?.MESSAGES[id];
    if (message) showToast({ text: typeof message === "string" ? t(message) : message(input, data) });
  }

  return async (input) => {
    const data = await send(id, input as object);
    void tell(input as Data, data);
    return data as ActionData<Id>;
  };
}

const none = <Field extends string>() => ({ fields: {} }) as FormProblems<Field>;

/** Returns all error messages. */
export const reasonOf = ({ message, fields }: FormProblems): string =>
  [message, ...Object.values(fields)].filter((text) => text !== undefined).join(" ");
