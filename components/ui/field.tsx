import { type ComponentProps, type ReactNode, useId } from "react";
import { t } from "@/lib/texts/translate";

interface FrameProps {
  label: string;
  hint?: string | undefined;
  /** Error message for the value; several stand on lines of their own. */
  problem?: string | undefined;
  optional?: boolean | undefined;
  /** Renders the input with the attributes that link it to its label and message. */
  children(attributes: Pick<ComponentProps<"input">, "id" | "aria-invalid" | "aria-describedby">): ReactNode;
}

/** Classes of a single-line input. */
export const inputLook =
  "h-10 w-full rounded-lg border border-line-strong bg-surface px-3 text-ink placeholder:text-muted/70 aria-invalid:border-bad";

/** A label above an input and its hint or error below, linked for screen readers. */
export function InputFrame({ label, hint, problem, optional, children }: FrameProps) {
  const id = useId();
  const note = problem ?? hint;
  const described = note ? `${id}-note` : undefined;
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="flex items-baseline justify-between text-sm font-medium">
        {label}
        {optional && <span className="font-normal text-muted">{t("optional")}</span>}
      </label>
      {children({ id, "aria-invalid": problem ? true : undefined, "aria-describedby": described })}
      {note && (
        <p
          id={described}
          role={problem ? "alert" : undefined}
          className={`text-sm whitespace-pre-line ${problem ? "text-bad" : "text-muted"}`}
        >
          {note}
        </p>
      )}
    </div>
  );
}

interface Props extends ComponentProps<"input">, Omit<FrameProps, "children"> {}

/** A labelled input with a hint or an error. */
export const Field = ({ label, hint, problem, optional, className = "", ...input }: Props) => (
  <InputFrame label={label} hint={hint} problem={problem} optional={optional}>
    {(attributes) => <input {...input} {...attributes} className={`${inputLook} ${className}`} />}
  </InputFrame>
);
