import { env } from "@/lib/platform/env";
import { Refusal } from "@/lib/platform/errors";
import { fromWeb, toWeb } from "@/lib/platform/http/http";
import { onOwnHost } from "@/lib/platform/http/require-own-host";
import { refuse, requestIdOf } from "@/lib/platform/http/respond";

/**
 * Answers 404 to all other well-known documents, in the format of programs. Clients that try several addresses go on at a
 * 404. A document at an address that its issuer or resource does not have must be refused by them (RFC 8414 section 3.3).
 */
const route = onOwnHost((request) => {
  const { BASE_URL } = env();
  const refusal = new Refusal(
    "operation_not_found",
    `There is no such document. The authorization server is ${BASE_URL}, with its metadata at /.well-known/oauth-authorization-server; /.well-known/oauth-protected-resource/mcp describes the MCP endpoint. This is no OpenID provider.`,
  );
  return toWeb(refuse(refusal, requestIdOf(fromWeb(request)), { headers: { "access-control-allow-origin": "*" } }));
});

export { route as DELETE, route as GET, route as HEAD, route as OPTIONS, route as PATCH, route as POST, route as PUT };
