import { OAuthRefusal } from "@/lib/contract/errors";
import type { OAuthCall, OAuthEndpoint } from "@/lib/oauth/entry-point";
import * as clientCredentials from "@/lib/oauth/grants/client-credentials";
import * as deviceCode from "@/lib/oauth/grants/device-code";
import * as refreshToken from "@/lib/oauth/grants/refresh-token";
import type { TokenAnswer } from "@/lib/oauth/tokens";

interface Grant {
  grantType: string;
  grant(call: OAuthCall): Promise<TokenAnswer>;
}

const all: readonly Grant[] = [clientCredentials, deviceCode, refreshToken];

/** The ways to a token, by their `grant_type`. */
export const GRANTS: ReadonlyMap<string, Grant> = new Map(all.map((grant) => [grant.grantType, grant]));

/** `POST /oauth/token` (RFC 6749 section 3.2). */
export const tokenEndpoint: OAuthEndpoint = {
  id: "token",
  needs: "grant_type",
  run(call) {
    const grant = GRANTS.get(call.form.need("grant_type"));
    if (grant) return grant.grant(call);
    throw new OAuthRefusal("unsupported_grant_type", `The grant_type is one of ${[...GRANTS.keys()].join(" ")}.`);
  },
};
