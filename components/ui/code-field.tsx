import type { ComponentProps } from "react";
import { Field } from "@/components/ui/field";

type Props = Pick<ComponentProps<typeof Field>, "hint" | "problem" | "autoCapitalize" | "autoFocus">;

/** Field for a two-factor code. @param hint by default, that a recovery code is accepted as well. */
export const CodeField = ({ hint = "Six digits, or one of your recovery codes.", ...more }: Props) => (
  <Field
    label="Code from your app"
    name="code"
    inputMode="numeric"
    autoComplete="one-time-code"
    required
    hint={hint}
    {...more}
  />
);
