import { expect, test } from "vitest";
import { describeRedirect, isLoopback, isRedirectUri, matchesRedirect } from "@/lib/oauth/redirect-uris";

test("the redirect URIs that today's assistants have are accepted", () => {
  const uris = [
    "https://claude.ai/api/mcp/auth_callback",
    "https://vscode.dev/redirect",
    "https://chatgpt.com/connector/oauth/AbC_123",
    "https://www.cursor.com/agents/mcp/oauth/callback",
    "https://assistant.example:8443/callback?tenant=1",
    "cursor://anysphere.cursor-mcp/oauth/callback",
    "com.example.app:/callback",
    "http://localhost:3118/callback",
    "http://127.0.0.1:33418",
    "http://127.0.0.1:33418/",
    "http://[::1]:5000/callback",
  ];
  expect(uris.filter((uri) => !isRedirectUri(uri))).toEqual([]);
});

test("redirect URIs that run code, leave the machine unencrypted, or have two spellings are refused", () => {
  const uris = [
    "javascript:alert(1)",
    "javascript://assistant.example/%0aalert(1)",
    "JAVASCRIPT://assistant.example/",
    "data:text/html,x",
    "file:///etc/passwd",
    "blob:https://assistant.example/x",
    "view-source://assistant.example",
    "intent://assistant.example/#Intent;end",
    "app:callback",
    "http://assistant.example/callback",
    "http://127.0.0.1.assistant.example/",
    "http://localhost.assistant.example/",
    "http://2130706433/",
    "http://127.1/callback",
    "http://0.0.0.0/callback",
    "https://assistant.example/callback#fragment",
    "https://assistant.example/callback#",
    "https://user@assistant.example/callback",
    "https://user:secret@assistant.example/callback",
    "https://assistant.example\\@evil.example/callback",
    "https://*.assistant.example/callback",
    "https://assistant.example/*",
    "https://аssistant.example/callback",
    "https://assistant.example/cаllback",
    "https://ASSISTANT.example/callback",
    "https://assistant.example/a/../callback",
    "https://assistant.example/a/%2e%2e/callback",
    "https://assistant.example:443/callback",
    "https://assistant.example./callback",
    "https://assistant/callback",
    " https://assistant.example/callback",
    "https://assistant.example/call\tback",
    "https://assistant.example/call back",
    "https:assistant.example/callback",
    "https:///assistant.example/callback",
    "//assistant.example/callback",
    "/callback",
    "",
    `https://assistant.example/${"a".repeat(1000)}`,
  ];
  expect(uris.filter(isRedirectUri)).toEqual([]);
});

test("a request may name only exactly one of the assistant's own redirect URIs", () => {
  const own = ["https://assistant.example/callback", "https://assistant.example/other?a=1", "app://assistant/callback"];
  const others = [
    "https://assistant.example/callback/",
    "https://assistant.example/callback?",
    "https://assistant.example/callback?a=1",
    "https://assistant.example/Callback",
    "https://assistant.example/%63allback",
    "https://assistant.example/callback2",
    "https://assistant.example/",
    "https://assistant.example",
    "https://assistant.example/other",
    "https://assistant.example/other?a=1&b=2",
    "https://assistant.example:8443/callback",
    "https://assistant.example.evil.example/callback",
    "https://evil.example/callback",
    "https://sub.assistant.example/callback",
    "https://assistant.example@evil.example/callback",
    "https://assistant.example/callback#x",
    "https://xn--ssistant-4fg.example/callback",
    "http://assistant.example/callback",
    "app://assistant/callback/x",
    "app2://assistant/callback",
  ];
  expect(own.filter((uri) => !matchesRedirect(own, uri))).toEqual([]);
  expect(others.filter((uri) => matchesRedirect(own, uri))).toEqual([]);
});

test("on this person's own machine the port may differ, and nothing else", () => {
  const own = ["http://localhost:8787/callback", "http://127.0.0.1/cb?x=1"];
  const same = [
    "http://localhost/callback",
    "http://localhost:1/callback",
    "http://localhost:65535/callback",
    "http://127.0.0.1:33418/cb?x=1",
  ];
  const others = [
    "http://127.0.0.1:8787/callback",
    "http://[::1]:8787/callback",
    "http://localhost:8787/callback/",
    "http://localhost:8787/other",
    "http://localhost:8787",
    "http://localhost:8787/callback?x=1",
    "http://localhost:99999/callback",
    "http://localhost:/callback",
    "http://localhost:8787@evil.example/callback",
    "http://localhost:8787.evil.example/callback",
    "https://localhost:8787/callback",
    "http://127.0.0.1:33418/cb",
  ];
  expect(same.filter((uri) => !matchesRedirect(own, uri))).toEqual([]);
  expect(others.filter((uri) => matchesRedirect(own, uri))).toEqual([]);
  expect([...same, "http://127.0.0.1:1"].every(isLoopback)).toBe(true);
  expect(["http://localhost.evil.example/", "https://localhost/", "app://localhost/"].some(isLoopback)).toBe(false);
});

test("people read who receives the answer", () => {
  expect(describeRedirect("https://claude.ai/api/mcp/auth_callback")).toBe("claude.ai");
  expect(describeRedirect("http://localhost:3118/callback")).toBe("an app on this device (localhost:3118)");
  expect(describeRedirect("cursor://anysphere.cursor-mcp/oauth/callback")).toBe(
    "the app that opens cursor: links on this device",
  );
});
