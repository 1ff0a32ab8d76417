/** What tests use of `oidc-provider`, which has no types of its own. */
declare module "oidc-provider" {
  import type { RequestListener } from "node:http";

  interface Configuration {
    clients: { client_id: string; client_secret: string; redirect_uris: string[] }[];
    claims: Record<string, string[]>;
    cookies: { keys: string[] };
    findAccount(
      context: unknown,
      id: string,
    ): Promise<{ accountId: string; claims(): Promise<{ sub: string; [claim: string]: unknown }> }>;
  }

  export class Provider {
    constructor(issuer: string, configuration: Configuration);
    callback(): RequestListener;
  }
}
