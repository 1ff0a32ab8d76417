/** What an agent calls itself. It is text of a stranger's: never more than text, and never the only thing shown. */
export const AgentName = ({ name }: { name: string }) => (
  <bdi className="break-words">{name.trim() || "An agent without a name"}</bdi>
);
