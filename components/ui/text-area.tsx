import { type ComponentProps, useId } from "react";

interface Props extends ComponentProps<"textarea"> {
  label: string;
  hint: string;
  /** Error messages. */
  problems: string[];
}

/** A labelled multi-line text field with a hint or errors below, linked for screen readers. */
export function TextArea({ label, hint, problems, ...textarea }: Props) {
  const id = useId();
  const wrong = problems.length > 0;
  return (
    <div className="space-y-1.5">
      <label htmlFor={id} className="block text-sm font-medium">
        {label}
      </label>
      <textarea
        {...textarea}
        id={id}
        aria-invalid={wrong || undefined}
        aria-describedby={`${id}-note`}
        className="block w-full rounded-lg border border-line-strong bg-surface px-3 py-2 font-mono text-sm text-ink placeholder:text-muted/70 aria-invalid:border-bad"
      />
      <div
        id={`${id}-note`}
        role={wrong ? "alert" : undefined}
        className={`text-sm ${wrong ? "text-bad" : "text-muted"}`}
      >
        {wrong ? problems.map((problem) => <p key={problem}>{problem}</p>) : <p>{hint}</p>}
      </div>
    </div>
  );
}
