import { previousKeyPlace, signingKeyPlace } from "@/lib/ingest/site/forwarded-address";
import type { Db, Prisma } from "@/lib/platform/db";
import { DAY_MS } from "@/lib/platform/durations";
import { freshSecret, seal, unseal } from "@/lib/platform/secrets";

/** How long the previous key stays valid after a rotation, so that proxies can be updated without a gap. */
const OVERLAP_MS = DAY_MS;

export interface KeyState {
  signingKey: Uint8Array | null;
  previousKeyUntil: Date | null;
}

/** Returns the signing key of a site, and until when the previous one is valid. */
export const readKeyState = (db: Db, siteId: number): Promise<KeyState> =>
  db.site.findUniqueOrThrow({ where: { id: siteId }, select: { signingKey: true, previousKeyUntil: true } });

/** Creates a new signing key, and the update of the site row that stores it encrypted. */
export function rotateSigningKey(
  siteId: number,
  { signingKey }: KeyState,
  now: Date,
): { key: string; previousUntil: Date | null; change: Prisma.SiteUpdateManyMutationInput } {
  const key = `ffs_${freshSecret()}`;
  const previous = signingKey && unseal(signingKey, signingKeyPlace(siteId));
  const previousUntil = previous && new Date(now.getTime() + OVERLAP_MS);
  return {
    key,
    previousUntil,
    change: {
      signingKey: sealed(Buffer.from(key), signingKeyPlace(siteId)),
      previousKey: previous && sealed(previous, previousKeyPlace(siteId)),
      previousKeyUntil: previousUntil,
    },
  };
}

const sealed = (plain: Buffer, context: string) => new Uint8Array(seal(plain, context));
