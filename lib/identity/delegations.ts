import { z } from "zod";
import type { IdentityEndpoint } from "@/lib/identity/answer";
import { makeClient, oauthEndpoints } from "@/lib/identity/credentials";
import { agentName, credentialsShape, oauthShape, requestedScopes } from "@/lib/identity/fields";
import { managementResource } from "@/lib/oauth/tokens";
import { env } from "@/lib/platform/env";
import { invalidInput } from "@/lib/platform/errors";

export const delegationInput = z.strictObject({
  name: agentName,
  scopes: requestedScopes.meta({ description: "The scopes to request from the human, who may grant fewer" }),
  resource: z
    .string("must be a URL")
    .max(2000, "must have at most 2000 characters")
    .nullish()
    .meta({ description: "The exact resource of the management API, which is also the default" }),
});

export const delegationOutput = z.object({
  ...credentialsShape.shape,
  requested_scopes: credentialsShape.shape.scopes.meta({ description: "The scopes to request from a human" }),
  scopes: credentialsShape.shape.scopes.meta({ description: "Empty until a human approves" }),
  site_ids: credentialsShape.shape.site_ids.meta({ description: "Empty until a human approves" }),
  owner_id: z.null().meta({ description: "Null until a human approves" }),
  oauth: oauthShape.extend({
    device_authorization_endpoint: z
      .string()
      .meta({ description: "Device authorization endpoint, to request a human's consent" }),
  }),
});

/** Creates a client without access until a human consents in their browser. */
export const delegations: IdentityEndpoint<typeof delegationInput, typeof delegationOutput> = {
  id: "delegations",
  title: "Create a delegated client",
  about:
    "Creates a confidential client without access. Send its human through the device authorization flow: the client gets exactly the access they consent to.",
  input: delegationInput,
  output: delegationOutput,

  async work(tx, { body, now }) {
    const resource = managementResource();
    if ((body.resource ?? resource) !== resource) {
      throw invalidInput([{ path: "resource", message: `must be exactly ${resource}, or omitted` }]);
    }
    // Not audited: audit rows are permanent, and anyone may call this.
    const client = await makeClient(tx, {
      kind: "delegated",
      name: body.name,
      requestedScopes: body.scopes,
      createdAt: now,
    });
    return {
      client_id: client.id,
      client_secret: client.secret,
      requested_scopes: body.scopes,
      scopes: [],
      site_ids: [],
      owner_id: null,
      resource,
      oauth: { ...oauthEndpoints(), device_authorization_endpoint: `${env().BASE_URL}/oauth/device/code` },
    };
  },
};
