import { t } from "@/lib/texts/translate";

/** The self-reported name of an agent. It is untrusted: render it as text and never as the only identification. */
export const AgentName = ({ name }: { name: string }) => (
  <bdi className="break-words">{name.trim() || t("Unnamed agent")}</bdi>
);
