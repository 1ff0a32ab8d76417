import { requireDelegated, takePoll } from "@/lib/oauth/device";
import type { OAuthCall } from "@/lib/oauth/entry-point";
import type { TokenAnswer } from "@/lib/oauth/tokens";

export const grantType = "urn:ietf:params:oauth:grant-type:device_code";

/** An agent asks whether its human has decided (RFC 8628 section 3.4). */
export async function grant(call: OAuthCall): Promise<TokenAnswer> {
  requireDelegated(call.client);
  return takePoll(call, call.form.need("device_code"));
}
