import { randomHex } from "@/lib/publish/random-hex";

/** Parts of the shell blocks. */

export interface Step {
  id: string;
  title: string;
  /** What happens and what to do; code is in backticks. */
  about: string;
  code: string;
}

export interface Walk {
  id: string;
  title: string;
  about: string;
  steps: Step[];
}

/** Reads one text field of a JSON answer in a file, with sed alone. */
export const FIELD = `field() { sed -n 's/.*"'"$1"'":"\\([^"]*\\)".*/\\1/p' "$2"; }`;
export const JSON_TYPE_OPTION = "-H 'Content-Type: application/json'";
export const NEW_KEY = `-H "Idempotency-Key: ${randomHex(32)}"`;
export const TOKEN = '-H "Authorization: Bearer $(field access_token token.json)"';
export const RESOURCE = '--data-urlencode resource="$BASE/api/v1/management"';
export const CREDENTIALS =
  '-d client_id="$(field client_id client.json)" -d client_secret="$(field client_secret client.json)"';

export const lines = (...all: string[]) => all.join("\n");
export const call = (...parts: string[]) => parts.join(" \\\n  ");
