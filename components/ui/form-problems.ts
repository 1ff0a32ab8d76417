import { type Issue, Refusal } from "@/lib/platform/errors";

/** What a form shows when it was refused: a sentence per field, or one for the whole. */
export interface FormProblems {
  fields: Record<string, string>;
  message?: string;
}

/** What a form shows when its Server Action did not answer: after an update of the server, an open page no longer works. */
export const FAILED: FormProblems = { fields: {}, message: "That did not work. Reload this page, then try again." };

/** Turns a refusal into what a form shows; anything else is not the person's to mend and is thrown on. */
export function problemsOf(error: unknown, fieldOfCode: Record<string, string> = {}): FormProblems {
  if (!(error instanceof Refusal)) throw error;
  const field = fieldOfCode[error.code];
  if (field) return { fields: { [field]: error.message } };
  const issues = (error.details?.issues ?? []) as Issue[];
  if (issues.length === 0) return { fields: {}, message: error.message };
  return { fields: Object.fromEntries(issues.map((issue) => [issue.path, sentence(issue.message)])) };
}

/** The same for a form that has only these fields: whatever else is wrong is a sentence for the whole. */
export function besides(problems: FormProblems, fields: readonly string[]): FormProblems {
  const others = Object.keys(problems.fields).filter((field) => !fields.includes(field));
  const message = problems.message ?? problems.fields[others[0] ?? ""];
  return message === undefined ? problems : { ...problems, message };
}

/** A message continues its field ("must have at least 12 characters"). Beside the field itself it becomes a sentence. */
function sentence(message: string): string {
  const text = message.replace(/^is required and /, "");
  return /^[a-z]/.test(text) ? `This ${text}.` : text;
}
