import agentsNarrow from "@/lib/deeds/agents.narrow";
import agentsRemoveFromSite from "@/lib/deeds/agents.remove_from_site";
import agentsRevoke from "@/lib/deeds/agents.revoke";
import approvalsDecide from "@/lib/deeds/approvals.decide";
import type { AnyDeed } from "@/lib/deeds/define";
import sessionReauthenticate from "@/lib/deeds/session.reauthenticate";

const all: AnyDeed[] = [approvalsDecide, agentsNarrow, agentsRevoke, agentsRemoveFromSite, sessionReauthenticate];

/** Everything a signed-in person can do on a page, by its name. The only list. */
export const DEEDS: ReadonlyMap<string, AnyDeed> = new Map(all.map((deed) => [deed.id, deed]));
