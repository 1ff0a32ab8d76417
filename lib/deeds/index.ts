import type { AnyDeed } from "@/lib/deeds/define";
import sessionReauthenticate from "@/lib/deeds/session.reauthenticate";

const all: AnyDeed[] = [sessionReauthenticate];

/** Everything a signed-in person can do on a page, by its name. The only list. */
export const DEEDS: ReadonlyMap<string, AnyDeed> = new Map(all.map((deed) => [deed.id, deed]));
