import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/browser";
import type { z } from "zod";
import type { newPasskeyAnswer, passkeyAnswer } from "@/lib/auth/passkeys";
import { msg } from "@/lib/texts/translate";

/** Passkeys in the browser. The library is loaded at the first use, so that pages stay small. */

/** The message when the person has closed the browser's dialog, or has no passkey for this service. */
export const NO_PASSKEY = msg("The passkey was not used. Try again, or choose another way.");

/**
 * Asks the browser for the answer of a passkey.
 *
 * @param options what the server has answered to `passkeys.ask` or `passkeys.ask_owner`.
 * @returns null when the person has cancelled it, or the browser has no passkey.
 */
export async function answerWithPasskey(options: object): Promise<z.input<typeof passkeyAnswer> | null> {
  const { startAuthentication } = await import("@simplewebauthn/browser");
  return asked(startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON }));
}

/** Lets the browser make a passkey. @param options what the server has answered to `passkeys.start` */
export async function makePasskey(options: object): Promise<z.input<typeof newPasskeyAnswer> | null> {
  const { startRegistration } = await import("@simplewebauthn/browser");
  return asked(startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON }));
}

async function asked<Answer>(answer: Promise<unknown>): Promise<Answer | null> {
  try {
    return (await answer) as Answer;
  } catch (error) {
    // What browsers and the library throw names the cause; for a person it is always that the passkey was not used.
    if (error instanceof Error) return null;
    throw error;
  }
}
