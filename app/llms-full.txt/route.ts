import { agentText } from "../agent-text";

/** The documentation for agents in one text. */
export const GET = (): Response => agentText("/llms-full.txt", "text/plain; charset=utf-8");

export { refused as DELETE, refused as PATCH, refused as POST, refused as PUT } from "../agent-text";
