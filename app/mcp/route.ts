import { answerMcp } from "@/lib/mcp/endpoint";
import { onOwnHost } from "@/lib/platform/http/require-own-host";

/** The MCP endpoint. Handles all methods: `answerMcp` answers 405 to others than POST. */
const mcp = onOwnHost((request) => answerMcp(request, new Date()));

export { mcp as DELETE, mcp as GET, mcp as HEAD, mcp as OPTIONS, mcp as PATCH, mcp as POST, mcp as PUT };
