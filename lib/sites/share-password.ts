import { createHmac, timingSafeEqual } from "node:crypto";
import { cookieHeader, cookieIn, ownCookie } from "@/lib/auth/cookies";
import { checkPassword } from "@/lib/auth/password";
import { countedAddress } from "@/lib/platform/counted-address";
import { invalidInput, Refusal } from "@/lib/platform/errors";
import { WRONG_LINK_PASSWORDS } from "@/lib/platform/limits";
import { refundRate, requireRate } from "@/lib/platform/rate";
import { derivedKey, derivedKeys, hexDigest } from "@/lib/platform/secrets";
import { type OpenLink, openShareLink } from "@/lib/sites/share-links";

/** The password of a private link, and the cookie of a browser in which it was entered. */

const OPEN_SECONDS = 24 * 3600;

type Locked = Pick<OpenLink, "id" | "passwordHash">;

/** Bound to the link and to its password, so that it opens no other link. */
const macOf = (key: Buffer, { id, passwordHash }: Locked, until: number): Buffer =>
  createHmac("sha256", key).update(`${id}\n${until}\n${passwordHash}`).digest();

const cookieOf = ({ id }: Pick<OpenLink, "id">) => ownCookie(`link-${id}`);

/** Returns whether a browser may see the link: it has no password, or its password was entered there in the last 24 hours. */
export function isUnlocked(link: Locked, cookies: string | null | undefined, now: Date): boolean {
  if (link.passwordHash === null) return true;
  const [until = "", mac = ""] = (cookieIn(cookies, cookieOf(link).name) ?? "").split(".");
  if (!/^\d{1,15}$/.test(until) || Number(until) <= now.getTime()) return false;
  const given = Buffer.from(mac, "base64url");
  const isMac = (key: Buffer) => timingSafeEqual(macOf(key, link, Number(until)), given);
  return given.length === 32 && derivedKeys("share-link").some(isMac);
}

/**
 * Checks the password of a link.
 *
 * @param address of the browser
 * @returns the cookie that opens the link in this browser, as a `Set-Cookie` header
 * @throws Refusal `invalid_input` for a wrong password, also of a link that does not exist; `rate_limited` after too many
 */
export async function unlock(secret: string, password: string, address: string, now: Date): Promise<string> {
  const { network, everyone } = WRONG_LINK_PASSWORDS;
  const ofLink = `link-password:${hexDigest(secret)}`;
  const counts = [
    { key: `${ofLink}:${hexDigest(countedAddress(address))}`, ...network },
    { key: ofLink, ...everyone },
  ];
  for (const { key, limit, seconds } of counts) await requireRate(key, limit, seconds * 1000, now, TOO_MANY);
  const link = await openShareLink(secret, now);
  const isRight = await checkPassword(link?.passwordHash ?? null, password);
  if (!link || !isRight) throw invalidInput([{ path: "password", message: "is wrong; ask the sender of the link" }]);
  await refundRate(...counts.map(({ key }) => key));
  const until = now.getTime() + OPEN_SECONDS * 1000;
  const value = `${until}.${macOf(derivedKey("share-link"), link, until).toString("base64url")}`;
  return cookieHeader({ ...cookieOf(link), value }, OPEN_SECONDS);
}

const TOO_MANY = "Too many wrong passwords for this link. Wait 15 minutes, then try again.";

/** The refusal of requests in the background of a link that is locked here. */
export const linkIsLocked = (): Refusal =>
  new Refusal("unauthenticated", "This link needs its password. Reload the page and enter it.");
