/** What tests read of the results of published MCP clients. */

/** The parts of a result that tests read. */
export interface ToolResult {
  content: { type: string; text?: string }[];
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape of its tool
  structuredContent?: any;
  isError?: boolean;
}

interface AnyClient {
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
}

/** Calls a tool. @returns its result, with its first text. */
export async function callTool(client: AnyClient, name: string, args: Record<string, unknown> = {}) {
  const result = (await client.callTool({ name, arguments: args })) as ToolResult;
  return { ...result, text: result.content[0]?.text ?? "", data: result.structuredContent?.data };
}
