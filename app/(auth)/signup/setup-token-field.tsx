import { Field } from "@/components/ui/field";
import { t } from "@/lib/texts/translate";

/** Field for the token that lets the first account be created over the network. */
export const SetupTokenField = ({ problem }: { problem?: string | undefined }) => (
  <Field
    label={t("Setup token")}
    name="token"
    autoComplete="off"
    autoCapitalize="none"
    spellCheck={false}
    required
    hint={t("The server prints it at start. Look in its log, for example with docker compose logs app.")}
    problem={problem}
    className="font-mono"
  />
);
