import { randomBytes } from "node:crypto";
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  completable,
  createRequestStateCodec,
  type InputRequests,
  inputRequired,
  inputResponse,
  McpServer,
  ResourceTemplate,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";

/**
 * Tools, prompts and resources that the conformance suite of MCP calls by name. Tests put them behind our endpoint in place of
 * ours; the product never has them.
 */

/** One red pixel. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC";
/** A second of nothing, as the header of a WAV file. */
const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

const text = (value: string) => ({ type: "text", text: value }) as const;
const image = { type: "image", data: PNG, mimeType: "image/png" } as const;
const fromUser = <Content>(content: Content) => ({ role: "user", content }) as const;
const CACHED = { ttlMs: 1000, cacheScope: "public" } as const;

const states = createRequestStateCodec<string>({ key: randomBytes(32) });

/** Returns a server with all fixtures. */
export function fixtureServer(): McpServer {
  const server = new McpServer(
    { name: "fixtures", version: "1.0.0" },
    {
      capabilities: {
        tools: { listChanged: false },
        prompts: { listChanged: false },
        resources: { listChanged: false },
        logging: {},
        completions: {},
      },
      cacheHints: {
        "tools/list": CACHED,
        "prompts/list": CACHED,
        "resources/list": CACHED,
        "resources/templates/list": CACHED,
        "resources/read": CACHED,
        "server/discover": CACHED,
      },
      inputRequired: { legacyShim: false },
      requestState: { verify: states.verify },
    },
  );
  addTools(server);
  addQuestions(server);
  addPrompts(server);
  addResources(server);
  return server;
}

function addTools(server: McpServer): void {
  const tool = (name: string, run: (context: ServerContext) => CallToolResult | Promise<CallToolResult>) =>
    server.registerTool(name, { description: `A fixture: ${name}` }, run);
  const returns = (...content: CallToolResult["content"]) => ({ content });
  tool("test_simple_text", () => returns(text("This is a simple text response for testing.")));
  tool("test_image_content", () => returns(image));
  tool("test_audio_content", () => returns({ type: "audio", data: WAV, mimeType: "audio/wav" }));
  const embedded = {
    uri: "test://embedded-resource",
    mimeType: "text/plain",
    text: "This is an embedded resource content.",
  };
  tool("test_embedded_resource", () => returns({ type: "resource", resource: embedded }));
  const mixed = {
    uri: "test://mixed-content-resource",
    mimeType: "application/json",
    text: '{"test":"data","value":123}',
  };
  tool("test_multiple_content_types", () =>
    returns(text("Multiple content types test:"), image, { type: "resource", resource: mixed }),
  );
  tool("test_error_handling", () => {
    throw new Error("This tool intentionally returns an error for testing");
  });
  tool("test_tool_with_progress", async ({ mcpReq }) => {
    const { progressToken } = mcpReq._meta ?? {};
    for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
      const params = { progressToken: progressToken as string, progress, total: 100 };
      await mcpReq.notify({ method: "notifications/progress", params });
    }
    return returns(text("Done"));
  });
  tool("test_logging_tool", async ({ mcpReq }) => {
    await mcpReq.log("info", "a message");
    return returns(text("Done"));
  });
}

const declared = ({ envelope }: ServerContext["mcpReq"]): ClientCapabilities =>
  ((envelope as Record<string, unknown> | undefined)?.[CLIENT_CAPABILITIES_META_KEY] ?? {}) as ClientCapabilities;

const form = (message: string, name: string, type: "string" | "boolean" = "string") =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: "object", properties: { [name]: { type } as { type: "string" } }, required: [name] },
  });
const sample = (question: string, maxTokens: number) =>
  inputRequired.createMessage({ messages: [fromUser(text(question))], maxTokens });

/** Tools that ask the client for input, and answer once they have all of it. */
function addQuestions(server: McpServer): void {
  const asks = (name: string, requests: InputRequests, { state = false, done = "Done" } = {}) =>
    server.registerTool(`test_input_required_result_${name}`, { description: `Asks: ${name}` }, async ({ mcpReq }) => {
      const { inputResponses } = mcpReq;
      const all = Object.keys(requests).map((key) => inputResponse(inputResponses, key));
      if (all.every(({ kind }) => kind !== "missing")) return { content: [text(`${done} ${JSON.stringify(all)}`)] };
      return inputRequired({ inputRequests: requests, ...(state && { requestState: await states.mint(name) }) });
    });
  const name = form("What is your name?", "name");
  asks("elicitation", { user_name: name });
  asks("sampling", { capital_question: sample("What is the capital of France?", 100) });
  asks("list_roots", { client_roots: inputRequired.listRoots() });
  const confirm = form("Please confirm", "ok", "boolean");
  asks("request_state", { confirm }, { state: true, done: "state-ok" });
  asks("tampered_state", { confirm }, { state: true });
  const greeting = sample("Generate a greeting", 50);
  asks("multiple_inputs", { user_name: name, greeting, client_roots: inputRequired.listRoots() }, { state: true });
  server.registerTool("test_missing_capability", { description: "Asks what the client has not declared" }, () =>
    inputRequired({ inputRequests: { greeting } }),
  );
  server.registerTool("test_streaming_elicitation", { description: "Asks within its result" }, () =>
    inputRequired({ inputRequests: { user_name: name } }),
  );
  server.registerTool("test_input_required_result_multi_round", { description: "Asks twice" }, async ({ mcpReq }) => {
    const { inputResponses } = mcpReq;
    const answered = (key: string) => inputResponse(inputResponses, key).kind !== "missing";
    if (answered("step2") && mcpReq.requestState() === "named") return { content: [text("Done")] };
    const inputRequests: InputRequests = answered("step1")
      ? { step2: form("Step 2: What is your favorite color?", "color") }
      : { step1: form("Step 1: What is your name?", "name") };
    return inputRequired({ inputRequests, requestState: await states.mint(answered("step1") ? "named" : "new") });
  });
  server.registerTool("test_input_required_result_capabilities", { description: "Asks what can be" }, ({ mcpReq }) => {
    const { elicitation, sampling } = declared(mcpReq);
    const inputRequests: InputRequests = {
      ...(elicitation && { user_name: name }),
      ...(sampling && { greeting }),
    };
    return Object.keys(inputRequests).length > 0 ? inputRequired({ inputRequests }) : { content: [text("Done")] };
  });
}

function addPrompts(server: McpServer): void {
  const prompt = (name: string, messages: ReturnType<typeof fromUser>[]) =>
    server.registerPrompt(name, { description: `A fixture: ${name}` }, () => ({ messages: messages as never }));
  prompt("test_simple_prompt", [fromUser(text("This is a simple prompt for testing."))]);
  prompt("test_prompt_with_image", [fromUser(image), fromUser(text("Please analyze the image above."))]);
  server.registerPrompt(
    "test_prompt_with_arguments",
    {
      description: "Repeats its arguments",
      argsSchema: z.object({ arg1: completable(z.string(), () => ["paris", "park", "party"]), arg2: z.string() }),
    },
    ({ arg1, arg2 }) => ({ messages: [fromUser(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))] }),
  );
  server.registerPrompt(
    "test_prompt_with_embedded_resource",
    { description: "Embeds a resource", argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri: uri }) => {
      const resource = { uri, mimeType: "text/plain", text: "Embedded resource content for testing." };
      return {
        messages: [
          fromUser({ type: "resource" as const, resource }),
          fromUser(text("Please process the embedded resource above.")),
        ],
      };
    },
  );
  server.registerPrompt("test_input_required_result_prompt", { description: "Asks for a context" }, ({ mcpReq }) => {
    const { kind } = inputResponse(mcpReq.inputResponses, "user_context");
    if (kind !== "missing") return { messages: [fromUser(text("Done"))] };
    const user_context = form("What context should the prompt use?", "context");
    return inputRequired({ inputRequests: { user_context } });
  });
}

function addResources(server: McpServer): void {
  const about = { description: "A fixture" };
  server.registerResource(
    "static-text",
    "test://static-text",
    { ...about, mimeType: "text/plain" },
    ({ href: uri }) => ({
      contents: [{ uri, mimeType: "text/plain", text: "This is the content of the static text resource." }],
    }),
  );
  server.registerResource(
    "static-binary",
    "test://static-binary",
    { ...about, mimeType: "image/png" },
    ({ href: uri }) => ({
      contents: [{ uri, mimeType: "image/png", blob: PNG }],
    }),
  );
  server.registerResource(
    "template",
    new ResourceTemplate("test://template/{id}/data", { list: undefined }),
    { ...about, mimeType: "application/json" },
    ({ href: uri }, { id }) => {
      const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
      return { contents: [{ uri, mimeType: "application/json", text: data }] };
    },
  );
}
