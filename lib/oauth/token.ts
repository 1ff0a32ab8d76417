import * as authorizationCode from "@/lib/oauth/authorization-code-grant";
import * as clientCredentials from "@/lib/oauth/client-credentials-grant";
import * as deviceCode from "@/lib/oauth/device-code-grant";
import type { OAuthCall, OAuthEndpoint } from "@/lib/oauth/entry-point";
import type { Form } from "@/lib/oauth/form";
import * as refreshToken from "@/lib/oauth/refresh-token-grant";
import type { TokenResponse } from "@/lib/oauth/tokens";
import { OAuthRefusal } from "@/lib/platform/errors";

interface Grant {
  grantType: string;
  grant(call: OAuthCall): Promise<TokenResponse>;
}

const all: readonly Grant[] = [authorizationCode, clientCredentials, deviceCode, refreshToken];

/** The supported grants by `grant_type`. */
export const GRANTS: ReadonlyMap<string, Grant> = new Map(all.map((grant) => [grant.grantType, grant]));

/** `POST /oauth/token` (RFC 6749 section 3.2). */
export const tokenEndpoint: OAuthEndpoint = {
  id: "token",
  needs: "grant_type",
  answerUnknown(form) {
    const { grantType } = grantOf(form);
    if (grantType === authorizationCode.grantType) form.need("code");
    if (grantType === refreshToken.grantType) form.need("refresh_token");
    throw new OAuthRefusal("invalid_grant", "This code or refresh token is invalid, expired or revoked.");
  },
  run: (call) => grantOf(call.form).grant(call),
};

/** @throws OAuthRefusal `unsupported_grant_type` */
function grantOf(form: Form): Grant {
  const grant = GRANTS.get(form.need("grant_type"));
  if (grant) return grant;
  throw new OAuthRefusal("unsupported_grant_type", `grant_type must be one of ${[...GRANTS.keys()].join(" ")}.`);
}
