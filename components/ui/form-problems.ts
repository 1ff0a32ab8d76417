import { type Issue, Refusal } from "@/lib/platform/errors";

/** The errors of a form: one message per field, or one for the whole form. */
export interface FormProblems {
  fields: Record<string, string>;
  message?: string;
}

/** Shown when a Server Action fails without an answer, for example on a page that was opened before a deployment. */
export const FAILED: FormProblems = { fields: {}, message: "The request failed. Reload this page and try again." };

/** Converts a `Refusal` into form errors. Rethrows any other error, because the user cannot fix it. */
export function problemsOf(error: unknown, fieldOfCode: Record<string, string> = {}): FormProblems {
  if (!(error instanceof Refusal)) throw error;
  const field = fieldOfCode[error.code];
  if (field) return { fields: { [field]: error.message } };
  const issues = (error.details?.issues ?? []) as Issue[];
  if (issues.length === 0) return { fields: {}, message: error.message };
  return { fields: Object.fromEntries(issues.map((issue) => [issue.path, sentence(issue.message)])) };
}

/** Limits errors to these fields: an error of another field becomes the message of the whole form. */
export function problemsForFields(problems: FormProblems, fields: readonly string[]): FormProblems {
  const others = Object.keys(problems.fields).filter((field) => !fields.includes(field));
  const message = problems.message ?? problems.fields[others[0] ?? ""];
  return message === undefined ? problems : { ...problems, message };
}

/** Turns a message that continues a field name ("must have at least 12 characters") into a sentence. */
function sentence(message: string): string {
  const text = message.replace(/^is required and /, "");
  return /^[a-z]/.test(text) ? `This ${text}.` : text;
}
