import { agentText } from "../agent-text";

/** How an agent gets credentials. */
export const GET = (): Response => agentText("/auth.md", "text/markdown; charset=utf-8");

export { refused as DELETE, refused as PATCH, refused as POST, refused as PUT } from "../agent-text";
