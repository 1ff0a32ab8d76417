import { OPERATIONS } from "@/lib/operations/index";
import { type Article, code, part, shown, steps, terms, text } from "@/lib/publish/articles/article";

/** How people connect an assistant, which speaks the Model Context Protocol. */

const json = (value: object) => JSON.stringify(value, null, 2);

const INITIAL = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"sites_list","arguments":{}}}';

/** What a person can ask for, and the tools that answer it. */
const KINDS: [string, string][] = [
  ["sites_list", "finds the site that you mean"],
  [
    "analytics_overview",
    "and ten more tools read reports: charts, what changed and why, events, funnels, journeys, retention, campaigns, realtime, and any metric by any dimension",
  ],
  ["sites_create", "adds a site; sites_installation has the steps to install it"],
  [
    "operations_find",
    `finds any of the ${OPERATIONS.size} operations of the service, which operations_read, operations_write and operations_request_approval run`,
  ],
];

export const connectArticle = (base: string): Article => ({
  slug: "connect",
  title: "Connect an assistant",
  lead: "Assistants such as Claude read your reports and manage your sites over the Model Context Protocol (MCP).",
  index: "the MCP endpoint for assistants: address, sign-in, tools, approvals",
  parts: [
    part(
      "address",
      "The address",
      text(`Every assistant needs one address and nothing else: \`${base}/mcp\`.`),
      text(
        "It asks you to sign in here, and you choose what it may do and on which sites. It begins with reading; when it needs more, it asks you again. Not every assistant can ask again: then connect it once more, and choose under “More permissions” what it should have. You can disconnect it at any time on the page of your connected agents.",
      ),
    ),
    part(
      "claude",
      "Claude",
      text(
        "In Claude on the web or the desktop: Settings, Connectors, Add custom connector, then paste the address. In Claude Code:",
      ),
      code("the command", `claude mcp add --transport http footfall ${base}/mcp`),
      text("Then `/mcp` in a session opens the sign-in."),
    ),
    part(
      "chatgpt",
      "ChatGPT",
      text(
        "Settings, Apps and connectors, Advanced settings: turn on developer mode. Then create a connector with the address, and OAuth as its authentication.",
      ),
    ),
    part(
      "cursor",
      "Cursor",
      text("Add it to `.cursor/mcp.json` of a project, or to `~/.cursor/mcp.json`:"),
      code("the configuration", json({ mcpServers: { footfall: { url: `${base}/mcp` } } }), "json"),
    ),
    part(
      "vs-code",
      "VS Code",
      text("Add it to `.vscode/mcp.json`, or run “MCP: Add Server” and choose HTTP:"),
      code("the configuration", json({ servers: { footfall: { type: "http", url: `${base}/mcp` } } }), "json"),
    ),
    part(
      "codex",
      "Codex",
      text("Add it to `~/.codex/config.toml`, then run `codex mcp login footfall`:"),
      code("the configuration", `[mcp_servers.footfall]\nurl = "${base}/mcp"`, "toml"),
    ),
    part(
      "command-line",
      "The command line",
      text(
        `Get a token like any agent ([Agents](/docs/agents)), with \`resource=${base}/mcp\` in the token request. Then each call is one request, without a session:`,
      ),
      shown(
        "the call",
        [
          `curl -sS ${base}/mcp`,
          '  -H "Authorization: Bearer $TOKEN"',
          "  -H 'Content-Type: application/json'",
          "  -H 'Accept: application/json, text/event-stream'",
          `  -d '${INITIAL}'`,
        ].join(" \\\n"),
        "sh",
      ),
    ),
    part(
      "trouble",
      "If it does not connect",
      text(
        `Assistants begin with \`${base}/mcp\`, which must answer 401 with \`WWW-Authenticate\`. That header names \`${base}/.well-known/oauth-protected-resource/mcp\`, which names \`${base}/.well-known/oauth-authorization-server\`. Try all three from outside your network:`,
      ),
      code(
        "the three requests",
        [
          `curl -sSi -X POST ${base}/mcp`,
          `curl -sSi ${base}/.well-known/oauth-protected-resource/mcp`,
          `curl -sSi ${base}/.well-known/oauth-authorization-server`,
        ].join("\n"),
      ),
      text(
        "A page of your proxy instead of JSON, or an address that is not yours, is a matter of the proxy: it must send these paths here unchanged, with the `Host` of `BASE_URL`, and pass on `Authorization`, `MCP-Protocol-Version`, `Mcp-Method`, `Mcp-Name` and `Mcp-Session-Id`. It must not answer `/.well-known/` itself, except for `/.well-known/acme-challenge/`. A call that waits for an approval takes up to 25 seconds.",
      ),
    ),
    part(
      "tools",
      "What it can do",
      terms(KINDS),
      text(
        "Tools run the operations of the [API](/docs/api) with the same permissions, limits and audit log. A tool never mixes reading and changing, and every call names its site.",
      ),
    ),
    part(
      "approvals",
      "What you approve",
      text("Changes that are hard to undo wait until you have approved exactly this change:"),
      steps(
        "The assistant shows you an address of this service and a code.",
        "You open the address, compare the code, see what will change, and approve or deny.",
        "The assistant repeats the call, which waits for your decision. An approval is valid for one call.",
      ),
    ),
    part(
      "text",
      "Text of visitors",
      text(
        "Page titles, paths and names of events are written by visitors, who may write instructions to your assistant. Each result lists under `untrusted` where such text is. Let an assistant that reads reports change nothing without asking you.",
      ),
    ),
  ],
});
