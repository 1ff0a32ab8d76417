import { pollDeviceCode, requireAnswerable } from "@/lib/oauth/device";
import type { OAuthCall } from "@/lib/oauth/entry-point";
import type { TokenResponse } from "@/lib/oauth/tokens";

export const grantType = "urn:ietf:params:oauth:grant-type:device_code";

/** Device code grant: one poll for the access token (RFC 8628 section 3.4). */
export async function grant(call: OAuthCall): Promise<TokenResponse> {
  requireAnswerable(call.client);
  return pollDeviceCode(call, call.form.need("device_code"));
}
