import type { CodeKind } from "@/lib/auth/person-ways";
import { postToAuth } from "@/lib/auth/sign-out";
import { msg, t } from "@/lib/texts/translate";

/** Client-side sign-in. */

export type SignInResult =
  | { ok: true }
  /** `needsCode`: the password is correct, and this code is missing or wrong. */
  | { ok: false; message: string; needsCode?: CodeKind };

/** Signs in with email, password and, with two-factor authentication, a code. On success the session cookie is set. */
export const signInWithPassword = (email: string, password: string, code = ""): Promise<SignInResult> =>
  signIn("credentials", { email, password, code });

/** Signs in with the answer of a passkey to the challenge of `passkeys.ask`. */
export const signInWithPasskey = (answer: object): Promise<SignInResult> =>
  signIn("passkey", { answer: JSON.stringify(answer) }, t("This passkey does not belong to an account here."));

/** Signs in with a two-factor code after the provider has named the person. */
export const signInAfterProvider = (code: string): Promise<SignInResult> =>
  signIn("step", { code }, t("That took too long. Start again with the provider."));

/** Leaves this page for the provider. @returns the message of what failed; undefined while the browser leaves */
export async function goToProvider(fields: {
  /** `prove`: to prove that the person of this session is still there. */
  purpose: "sign-in" | "prove";
  /** The page to open afterwards. */
  next: string;
  /** The setup token, for the first account of a service. */
  token?: string;
}): Promise<string | undefined> {
  try {
    const response = await postToAuth("/api/auth/signin/oidc", { ...fields });
    const { url, error } = await response.json();
    if (error) return error.message;
    if (new URL(url).origin === window.location.origin) return messageFor("internal");
    window.location.assign(url);
  } catch {
    return t(UNREACHABLE);
  }
}

/** @param refused the message when what was sent is wrong */
async function signIn(way: string, fields: Record<string, string>, refused?: string): Promise<SignInResult> {
  try {
    const response = await postToAuth(`/api/auth/callback/${way}`, fields);
    const { url } = await response.json();
    if (!url) return { ok: false, message: messageFor(response.status === 503 ? "unavailable" : "internal") };
    const outcome = new URL(url).searchParams;
    // `csrf`: the server's keys were rotated meanwhile. The next attempt gets a new token.
    const error = outcome.get("error") ?? (outcome.has("csrf") ? "csrf" : null);
    if (!error) return { ok: true };
    const message = error === "CredentialsSignin" && refused ? refused : messageFor(error);
    const [, isRecovery] = SECOND_FACTOR.exec(error) ?? [];
    return { ok: false, message, ...(SECOND_FACTOR.test(error) && { needsCode: isRecovery ? "recovery" : "app" }) };
  } catch {
    return { ok: false, message: t(UNREACHABLE) };
  }
}

const SECOND_FACTOR = /^second_factor_(?:needed|wrong)(:recovery)?$/;
const UNREACHABLE = msg("The server could not be reached. Check your connection and try again.");

function messageFor(error: string): string {
  const wait = /^too_many_tries:(\d+)$/.exec(error)?.[1];
  if (wait)
    return t("Too many failed attempts. Try again in {count, plural, one {a minute} other {# minutes}}.", {
      count: minutes(Number(wait)),
    });
  if (error === "second_factor_needed") return t("Enter the current code from your app.");
  if (error === "second_factor_wrong") return t("That is not the code your app shows now. Each code works only once.");
  if (error === "second_factor_needed:recovery") return t("Use your passkey, or enter one of your recovery codes.");
  if (error === "second_factor_wrong:recovery")
    return t("That is not one of your recovery codes. Each code works only once.");
  if (error === "account_disabled")
    return t("This account is disabled. Ask the administrator of this service to enable it.");
  if (error === "CredentialsSignin") return t("Wrong email address or password.");
  if (error === "unavailable") return t("Accounts are temporarily unavailable. Try again in a moment.");
  return t("Sign-in failed. Try again in a moment.");
}

const minutes = (seconds: number): number => Math.max(1, Math.ceil(seconds / 60));
