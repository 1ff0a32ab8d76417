import type { ComponentProps } from "react";
import { Field } from "@/components/ui/field";
import type { CodeKind } from "@/lib/auth/person-ways";
import { t } from "@/lib/texts/translate";

interface Props extends Pick<ComponentProps<typeof Field>, "hint" | "problem" | "autoCapitalize" | "autoFocus"> {
  kind: CodeKind;
}

/** Field for a two-factor code: of the app, in whose place a recovery code is accepted, or of a recovery code alone. */
export const CodeField = ({ kind, ...more }: Props) =>
  kind === "app" ? (
    <Field
      label={t("Code from your app")}
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      required
      hint={t("Six digits, or one of your recovery codes.")}
      {...more}
    />
  ) : (
    <Field
      label={t("Recovery code")}
      name="code"
      autoComplete="off"
      autoCapitalize="characters"
      required
      hint={t("One of the codes that you saved. Each works once.")}
      {...more}
    />
  );
