import { refusalOnPage } from "@/components/ui/refusals";
import { type Issue, Refusal } from "@/lib/platform/errors";
import { t } from "@/lib/texts/translate";

/** A path of an input, where `*` in the name of a field stands for any index: `steps.*.name` is `steps.0.name`. */
type PathOf<Field extends string> = Field extends `${infer Before}*${infer After}`
  ? `${Before}${number}${After}`
  : Field;

/** The errors of a form: a text per field that it shows, and one for everything else. */
export interface FormProblems<Field extends string = string> {
  fields: Partial<Record<PathOf<Field>, string>>;
  message?: string;
}

export interface FormFields<Field extends string> {
  /** The fields that the form shows with their errors. An error of any other becomes the message of the form. */
  fields?: readonly Field[];
  /** The field that shows an error code which has no field of its own. */
  fieldOfCode?: Record<string, Field>;
}

/** Converts a `Refusal` into form errors. Every issue is shown. Rethrows any other error, which the user cannot fix. */
export function problemsOf<const Field extends string = never>(
  error: unknown,
  { fields: shown = [], fieldOfCode = {} }: FormFields<Field> = {},
): FormProblems<Field> {
  if (!(error instanceof Refusal)) throw error;
  const field = fieldOfCode[error.code];
  if (field) return { fields: { [field]: refusalOnPage(error.message) } } as FormProblems<Field>;
  const issues = (error.details?.issues ?? []) as Issue[];
  const isShown = ({ path }: Issue) => (shown as readonly string[]).includes(path.replace(/\.\d+(?=\.|$)/g, ".*"));
  const fields: Record<string, string> = {};
  for (const { path, message } of issues.filter(isShown)) {
    fields[path] = joined(fields[path], sentence(t("This"), message));
  }
  const others = issues.filter((issue) => !isShown(issue));
  const message = others.reduce<string | undefined>(
    (text, issue) => joined(text, sentence(nameOf(issue.path), issue.message)),
    issues.length === 0 ? refusalOnPage(error.message) : undefined,
  );
  return { fields, ...(message !== undefined && { message }) } as FormProblems<Field>;
}

/** Adds a sentence to a text that does not have it yet. */
function joined(text: string | undefined, added: string): string {
  if (text === undefined) return added;
  return text.includes(added) ? text : `${text} ${added}`;
}

/** Turns a message that continues the name of a field ("must have at least 12 characters") into a sentence. */
function sentence(name: string, message: string): string {
  const english = message.replace(/^is required and /, "");
  const text = refusalOnPage(english);
  if (!/^[a-z]/.test(english)) return text;
  return `${name} ${text}${/[.!?]$/.test(text) ? "" : "."}`;
}

/** Returns the words of a path without indexes: `reached_by.pattern` is "Reached by pattern". */
function nameOf(path: string): string {
  const words = path.replace(/\.\d+(?=\.|$)/g, "").replace(/[._]/g, " ");
  return words === "" ? t("This") : words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns the errors of two fields that share one line of a form. */
export const bothOf = (one: string | undefined, other: string | undefined): string | undefined =>
  one !== undefined && other !== undefined ? joined(one, other) : (one ?? other);
