import createClient from "openapi-fetch";
import { expect, test } from "vitest";
import { manage } from "@/lib/api/management";
import { fromWeb, toWeb } from "@/lib/platform/http/http";
import { ACTIONS } from "@/lib/publish/groups";
import { openapi } from "@/lib/publish/openapi";
import { isComposite } from "@/lib/publish/parameters";
import type { Schema } from "@/lib/publish/schemas";
import { makeClient, makeSite, send, type TestSite } from "@/lib/testing/world";

/** What clients that are generated from the document send. */

const BASE = "https://stats.example.com";
const NOW = new Date("2025-03-12T12:00:00Z");

/** The paths of the document, as openapi-typescript writes them. */
interface Paths {
  [path: `${typeof ACTIONS}/${string}`]: {
    get: {
      parameters: { query: { site_id: number; period?: string; filters?: string } };
      responses: { 200: { content: { "application/json": { data: { metrics: { visitors: number } } } } } };
    };
  };
}

async function clientOf(site: TestSite) {
  const { token } = await makeClient({ scopes: ["analytics:read"], sites: [site], personId: site.ownerId, now: NOW });
  return createClient<Paths>({
    baseUrl: BASE,
    headers: { authorization: `Bearer ${token}` },
    fetch: async (request) => {
      const { pathname, searchParams: query } = new URL(request.url);
      const incoming = { ...fromWeb(request), method: request.method, query };
      return toWeb(await manage(incoming, pathname.slice(ACTIONS.length + 1), NOW));
    },
  });
}

test.each([
  [{ page: "/a" }, 1],
  [{ page: { starts_with: "/b" } }, 2],
  [{ page: ["/a", "/b/1"] }, 2],
  [{ page: { is_not: ["/a", "/b/1"] } }, 1],
  [{ page: { contains: "/" }, country: { is: "" }, "prop:plan": { is_not: ["a & b", "ü=?"] } }, 3],
])("openapi-fetch sends the filter %j as the server reads it", async (filters, visitors) => {
  const site = await makeSite();
  for (const [n, path] of ["/a", "/b/1", "/b/2"].entries())
    await send(site, path, { at: NOW, address: `203.0.113.${n + 1}` });
  const client = await clientOf(site);
  const query = { site_id: site.id, period: "today", filters: JSON.stringify(filters) };
  const { data, error } = await client.GET(`${ACTIONS}/analytics.overview`, { params: { query } });
  expect([error, data?.data.metrics.visitors]).toEqual([undefined, visitors]);
});

test("every query parameter of the document is plain, so that the default serialisers of generated clients take it", () => {
  const { paths, components } = openapi(BASE);
  const described = [paths, components.parameters].flatMap((part) => queryParametersIn(part));
  expect(described.map(({ name }) => name)).toContain("filters");
  const faulty = described.filter(({ content, schema }) => content || !schema || isComposite(schema));
  expect(faulty).toEqual([]);
  for (const { name, example, schema } of described)
    if (schema?.contentMediaType && example !== undefined) expect(JSON.parse(`${example}`), name).toBeTypeOf("object");
});

interface Parameter {
  name: string;
  in: string;
  content?: unknown;
  schema?: Schema;
  example?: unknown;
}

function queryParametersIn(value: unknown): Parameter[] {
  if (typeof value !== "object" || value === null) return [];
  if ("in" in value && value.in === "query") return [value as Parameter];
  return Object.values(value).flatMap(queryParametersIn);
}
