import { isCsrfToken } from "@/lib/auth/reauth";
import type { Owner } from "@/lib/contract/define";
import { env } from "@/lib/platform/env";
import { Refusal } from "@/lib/platform/errors";
import type { Incoming } from "@/lib/platform/http/http";
import { isOwnOrigin } from "@/lib/platform/http/own-hosts";
import { notOurPage } from "@/lib/platform/http/respond";

/** Checks `Origin` and `Sec-Fetch-Site`, and the CSRF token of a session. */
export function requireOwnPage(request: Incoming, owner: Owner | null): void {
  const origin = request.header("origin");
  const site = request.header("sec-fetch-site");
  const isOwn = origin !== null && isOwnOrigin(origin, request.header("host"), env().BASE_URL);
  if (!isOwn || (site !== null && site !== "same-origin")) throw notOurPage();
  if (!owner || isCsrfToken(owner.sid, request.header("x-csrf-token"))) return;
  throw new Refusal("cross_site", "You signed in again since this page was opened. Reload it, then try again.");
}
