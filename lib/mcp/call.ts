import type { Principal } from "@/lib/contract/define";

/** One call of the MCP endpoint. */
export interface McpCall {
  principal: Principal & { kind: "client" };
  now: Date;
  requestId: string;
  /** Whether the client declared at `initialize` that it can show an address to a person (2025 revisions). */
  opensUrls: boolean;
  /** How long a repeated call waits for the decision of a person, in milliseconds. */
  waitMs: number;
}
