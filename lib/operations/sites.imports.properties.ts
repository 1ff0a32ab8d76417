import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { about, siteId, untrusted } from "@/lib/contract/fields";
import { env } from "@/lib/platform/env";
import { connectedProperties, hasAnalyticsClient } from "@/lib/search/analytics-connection";

export default defineOperation({
  id: "sites.imports.properties",
  title: "List properties of Google Analytics",
  about: "Lists the properties of Google Analytics that the Google account connected for imports may read.",
  scope: "sites:read",
  role: "owner",
  risk: "none",
  input: z.strictObject({ site_id: siteId }),
  example: { site_id: 1 },
  output: z.object({
    state: about(
      z.enum(["not_configured", "not_connected", "connected"]),
      "`not_configured`: the operator has not registered this service at Google",
      "connected",
    ),
    connect_url: about(
      z.string().nullable(),
      "The page where an owner connects an account; null where the service is not set up",
      "https://stats.example.com/sites/1/settings/import",
    ),
    properties: z.array(
      z.object({
        property: about(z.string(), "Identifies it in sites.imports.fetch", "properties/123456789"),
        name: about(untrusted, "As the account calls it", "Shop"),
        account: about(untrusted, "The account of Google Analytics", "Example Ltd"),
      }),
    ),
  }),

  async run({ site, db }) {
    const properties = await connectedProperties(db, site.id);
    const isSetUp = hasAnalyticsClient();
    return {
      state: stateOf(isSetUp, properties !== null),
      connect_url: isSetUp ? `${env().BASE_URL}/sites/${site.id}/settings/import` : null,
      properties: isSetUp ? (properties ?? []) : [],
    };
  },
});

function stateOf(isSetUp: boolean, isConnected: boolean): "not_configured" | "not_connected" | "connected" {
  if (!isSetUp) return "not_configured";
  return isConnected ? "connected" : "not_connected";
}
