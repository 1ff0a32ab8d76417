import { z } from "zod";
import type { IdentityEndpoint } from "@/lib/identity/answer";
import { makeClient, oauthEndpoints } from "@/lib/identity/credentials";
import { agentName, credentialsShape, oauthShape, requestedScopes } from "@/lib/identity/fields";
import { managementResource } from "@/lib/oauth/tokens";
import { env } from "@/lib/platform/env";
import { invalidInput } from "@/lib/platform/errors";

export const delegationInput = z.strictObject({
  name: agentName,
  scopes: requestedScopes.meta({ description: "The scopes that the human is asked for; they may grant fewer" }),
  resource: z
    .string("must be an address")
    .max(2000, "must have at most 2000 characters")
    .nullish()
    .meta({ description: "The resource of the management API, byte for byte, which is also the default" }),
});

export const delegationOutput = z.object({
  ...credentialsShape.shape,
  requested_scopes: credentialsShape.shape.scopes.meta({ description: "The scopes that a human will be asked for" }),
  scopes: credentialsShape.shape.scopes.meta({ description: "Empty until a human approves" }),
  site_ids: credentialsShape.shape.site_ids.meta({ description: "Empty until a human approves" }),
  owner_id: z.null().meta({ description: "Nobody, until a human approves" }),
  oauth: oauthShape.extend({
    device_authorization_endpoint: z.string().meta({ description: "Where the client asks for a human's consent" }),
  }),
});

/** A client that may do nothing until a human has approved it in their browser. */
export const delegations: IdentityEndpoint<typeof delegationInput, typeof delegationOutput> = {
  id: "delegations",
  title: "Ask to act for a human",
  about:
    "Makes a confidential client without any right. Send its human through the device authorization flow: what they consent to, and nothing else, is what it may do.",
  input: delegationInput,
  output: delegationOutput,

  async work(tx, { body, now }) {
    const resource = managementResource();
    if ((body.resource ?? resource) !== resource) {
      throw invalidInput([{ path: "resource", message: `must be exactly ${resource}, or left out` }]);
    }
    // Its row alone tells of it: the audit is kept for ever, and anyone may call this.
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
