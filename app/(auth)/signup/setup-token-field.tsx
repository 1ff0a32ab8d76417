import { Field } from "@/components/ui/field";

/** Field for the token that lets the first account be created over the network. */
export const SetupTokenField = ({ problem }: { problem?: string | undefined }) => (
  <Field
    label="Setup token"
    name="token"
    autoComplete="off"
    autoCapitalize="none"
    spellCheck={false}
    required
    hint="The server prints it at start. Look in its log, for example with docker compose logs app."
    problem={problem}
    className="font-mono"
  />
);
