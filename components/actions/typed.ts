import type { z } from "zod";
import type { EntryOperations } from "@/lib/operations/entry/index";
import type { Operations } from "@/lib/operations/index";
import type { PersonalOperations } from "@/lib/operations/personal/index";

/** Input and output types of the operations that pages can call. */

type Callable = Operations & PersonalOperations & EntryOperations;

export type ActionId = keyof Callable;
export type ActionInput<Id extends ActionId> = z.input<Callable[Id]["input"]>;
export type ActionData<Id extends ActionId> = Callable[Id] extends { output: infer Output extends z.ZodType }
  ? z.output<Output>
  : Id extends keyof EntryOperations
    ? Awaited<ReturnType<EntryOperations[Id]["run"]>>["data"]
    : Awaited<ReturnType<Callable[Id]["run"]>>;
