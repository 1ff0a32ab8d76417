import { agentText } from "../agent-text";

/** The index of the documentation for agents. */
export const GET = (): Response => agentText("/llms.txt", "text/plain; charset=utf-8");

export { refused as DELETE, refused as PATCH, refused as POST, refused as PUT } from "../agent-text";
