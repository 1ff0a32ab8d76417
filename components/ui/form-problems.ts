import { type Issue, Refusal } from "@/lib/contract/errors";

/** What a form shows when it was refused: a sentence per field, or one for the whole. */
export interface FormProblems {
  fields: Record<string, string>;
  message?: string;
}

/** Turns a refusal into what a form shows; anything else is not the person's to mend and is thrown on. */
export function problemsOf(error: unknown, fieldOfCode: Record<string, string> = {}): FormProblems {
  if (!(error instanceof Refusal)) throw error;
  const field = fieldOfCode[error.code];
  if (field) return { fields: { [field]: error.message } };
  const issues = (error.details?.issues ?? []) as Issue[];
  if (issues.length === 0) return { fields: {}, message: error.message };
  return { fields: Object.fromEntries(issues.map((issue) => [issue.path, sentence(issue.message)])) };
}

/** Our schemas say what a value should be ("has at least 12 characters"); beside a field that becomes a sentence. */
function sentence(message: string): string {
  const text = message.replace(/^is required: /, "");
  return /^(is|has|must|already|cannot|contains)\b/.test(text) ? `This ${text}.`.replace(/^This is (a|an|one|text)\b/, "This should be $1").replace(/^This has\b/, "This needs to have") : text;
}
