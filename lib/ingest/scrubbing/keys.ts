import { isAddress } from "@/lib/ingest/scrubbing/addresses";
import { hasPhone } from "@/lib/ingest/scrubbing/contacts";
import type { ScrubbedKind } from "@/lib/ingest/scrubbing/kinds";
import { mayBeSecret } from "@/lib/ingest/scrubbing/secrets";
import { boundedMap } from "@/lib/platform/bounded-map";
import { HOUR_MS } from "@/lib/platform/durations";

/** Judges a value by the name it has and by its shape together: `?code=SUMMER` is a campaign, `?code=4/0AX4XfWhgT…` is not. */

/** What a name says of its value. The last word decides: `token_count` is a count. */
interface Rule {
  kind: ScrubbedKind;
  /** Matches the normalised name. */
  name: RegExp;
  /** Whether the value may be what the name says. */
  fits(value: string, country: string): boolean;
}

const anything = (): boolean => true;
const digitsIn = (value: string): number => value.replace(/\D/g, "").length;
const hasDigits = (least: number) => (value: string) => digitsIn(value) >= least;
const hasLetters = (value: string) => /\p{L}.*\p{L}/u.test(value);

/** Joins spellings to a pattern of whole words at the end of a name. */
const ending = (...names: string[]): RegExp => new RegExp(`(?:^|_)(?:${names.join("|")})$`);
const whole = (...names: string[]): RegExp => new RegExp(`^(?:${names.join("|")})$`);

const RULES: readonly Rule[] = [
  {
    kind: "secret",
    name: ending(
      "pass_?(?:word|wd|phrase|code)|pwd|passwort|kennwort|contrasena|mot_de_passe",
      // In the form of `normalKey`: Japanese without its voiced marks.
      "senha|wachtwoord|haslo|losenord|heslo|jelszo|sifre|salasana|adgangskode|пароль|ハスワート|密码|密碼",
      "(?:pass(?:word|wd|phrase|code)|pwd)_(?:confirm(?:ation)?|again|repeat|new|old|current|hash|value|verify)",
      "secret|(?:client|app|api|shared|webhook|signing|consumer)_?secret",
      "(?:api|secret|private|access|signing|encryption|master|service|subscription|account)_?key|access_key_id",
      "(?:access|refresh|id|auth|authentication|authenticity|csrf|xsrf|csrf_?middleware|verification|verify|reset|confirmation|confirm|session|bearer|api|login|security|invite|invitation|magic|magic_?link|oauth|remember(?:_me)?|user|activation|unsubscribe|device|push|registration|request|sso|private|personal|email|password|signin|signup)_?token",
      "oob_?code|code_verifier|(?:security|card_security|recovery|backup)_code",
      "saml_?(?:response|request|assertion)|client_assertion",
    ),
    fits: (value) => value.length >= 3,
  },
  {
    kind: "secret",
    name: ending(
      "cv[vc]2?",
      "otp|totp|mfa|2fa|pin_?code|pin",
      "(?:otp|totp|mfa|2fa|sms|email|login|auth|reset|activation|verification|confirmation|verify|access|signin|one_time|two_factor)_?code",
    ),
    fits: (value) => /^\d{3,8}$/.test(value) || mayBeSecret(value, 8),
  },
  {
    kind: "secret",
    name: whole("(?:user_)?(?:pass|passw|pw)"),
    fits: (value) => /^[^\s-]{6,}$/.test(value) && /\d/.test(value) && hasLetters(value),
  },
  {
    kind: "email",
    name: ending(
      "e_?mails?(?:_(?:addr|address|adresse|to|from|cc|bcc|id|confirm|confirmation))?",
      "courriel|correo(?:_electronico)?",
    ),
    fits: anything,
  },
  {
    kind: "phone",
    name: ending(
      "contact|(?:tele)?phones?|tel|telefon|telefono|telefoon|mobile|mobil|handy|cell(?:_?phone)?|msisdn|fax|whats_?app",
      "(?:(?:tele)?phone|tel|telefon|mobile|cell|fax|contact|whats_?app|handy|mobil|call|sms)_?(?:number|no|num|nr|nummer|phone)",
    ),
    fits: hasPhone,
  },
  {
    kind: "card",
    name: ending(
      "(?:card|cc|credit_?card|debit_?card|payment_card)_?(?:number|no|num|nr)",
      "cc|ccn|credit_?card|debit_?card",
    ),
    fits: hasDigits(8),
  },
  {
    kind: "iban",
    name: ending("iban|bban", "(?:bank_)?account_(?:number|no|num|nr)|bank_account|kontonummer"),
    fits: hasDigits(5),
  },
  {
    kind: "personal",
    name: ending(
      "(?:first|last|middle|given|family|full|maiden|sur|fore|birth|legal|customer|contact|recipient|card_?holder|account_holder|billing|shipping|patient|guest|passenger|employee|student|subscriber|buyer|spouse|child|login|real)_?name",
      "user_?name|[fl]name|nick_?name|name_on_card|vorname|nachname|prenom|apellidos?|cognome|achternaam|voornaam",
      "(?:user|customer|person|contact|patient|guest|passenger|employee|recipient)_name",
    ),
    fits: hasLetters,
  },
  {
    kind: "personal",
    name: ending(
      "(?<!(?:web|url|site|page|memory|contract|wallet|token|server|net|network|host|bind|gateway|ip|ipv4|ipv6|remote|client|email|e_mail|mail)_)(?:address|adresse)(?:_?line)?",
      "(?:street|strasse|rue|calle)(?:_(?:name|address|number|and_number|line))?|street_?address|home_?address|addr|mac_?address",
    ),
    fits: (value) => hasLetters(value) && /[\d\s,+]/.test(value),
  },
  {
    kind: "personal",
    name: ending(
      "ssn|social_security(?:_(?:number|no))?|(?:national|personal|citizen)_?(?:id|insurance|identity|identification)?_?(?:number|no|nr|code)|national_id|nino|nif|nie|dni|cpf|bsn|pesel|personnummer|aadhaar(?:_number)?|steuer_?id|steuernummer",
      "tax_?(?:id|number|no|payer_id|payer_number|identification_number|code)|tin|codice_fiscale",
      "passport(?:_?(?:number|no|num|nr|id))?|(?:id|identity)_?card(?:_(?:number|no))?|(?:identity|id|identification)_(?:number|no|document)",
      "driv(?:er|ers|ing)_licen[cs]e(?:_(?:number|no|id))?|licen[cs]e_plate|number_plate|plate_number|kennzeichen",
      "mrn|medical_record(?:_(?:number|no))?|(?:health_?)?insurance_(?:number|no|id)|nhs_number|medicare_number",
    ),
    fits: (value) => digitsIn(value) >= 2 && value.replace(/[^\p{L}\d]/gu, "").length >= 5,
  },
  {
    kind: "personal",
    name: ending(
      "date_of_birth|birth_?dates?|dob|birth_?day|geburtsdatum|fecha_de_nacimiento|date_de_naissance|born(?:_on)?",
    ),
    fits: hasDigits(4),
  },
  {
    kind: "ip",
    name: ending(
      "(?:client|remote|user|visitor|source|src|real|peer|x_real|x_client|customer)?_?ip(?:v[46])?(?:_?addr(?:ess)?)?s?",
      "(?:remote|client)_?addr(?:ess)?|x_forwarded_for|forwarded_for|addr",
    ),
    fits: (value) => value.split(/[\s,]+/).some(isAddress),
  },
  { kind: "secret", name: ending("csrf|xsrf|nonce|sig|signature|hmac"), fits: (value) => mayBeSecret(value, 8) },
  // Six digits are a code that somebody got in a message; other numbers are products and places.
  { kind: "secret", name: whole("code"), fits: (value) => /^\d{6}$/.test(value) || mayBeSecret(value, 10) },
  {
    kind: "secret",
    name: whole(
      "key|token|state|ticket|auth|login|challenge|code_challenge|relay_?state|invite|invitation|magic|reset|confirm|confirmation|verify|verification|activation|activate|unsubscribe|signin|k|t",
    ),
    fits: (value) => mayBeSecret(value, 10),
  },
  {
    kind: "secret",
    name: ending(
      "token|jwt|bearer|cookies?|credentials?|authorization|session|session_?id|sess_?id|sid|phpsessid|jsessionid|sessid|x_amz_credential",
      "(?:session|auth|oauth|invite|invitation|activation|reset|license|licence|user|share|authorization|device)_?(?:key|code|state|hash|id_hash)|(?:email|user|phone)_(?:hash|md5|sha1|sha256)",
    ),
    fits: (value) => mayBeSecret(value, 10),
  },
];

/** A word in a name that makes it a question or an action: `has_password`, `forgot_password`. */
const NO_VALUE =
  /(?:^|_)(?:is|has|have|had|show|hide|forgot|forgotten|lost|no|with|without|can|allow|enable|needs?|requires?|use|uses|missing|invalid|valid|wrong|toggle)_/;
/** Names of versions, which are written like IP addresses. */
const VERSION_NAME = /(?:^|_)(?:v|ver|version|release|build|firmware|sdk|revision|rev|tag|patch)$/;

/** Values that say whether or how, not what. */
const TRIVIAL =
  /^(?:|.|true|false|yes|no|on|off|null|nil|none|undefined|unknown|unset|set|n\/?a|nan|empty|missing|present|required|optional|hidden|visible|valid|invalid|verified|unverified|confirmed|pending|active|inactive|enabled|disabled|default|other|new|old|same|different|changed|unchanged|click(?:ed)?|submit(?:ted)?|sent|opened|open|closed|success|failed|failure|error|ok|subscribed|unsubscribed|opted_in|opted_out|weekly|daily|monthly|newsletter|digest|welcome|marketing|transactional|reminder|billing|shipping|home|work|private|public|anonymous|guest|test|redacted|filtered|masked|removed|deleted|[\s*•x._#-]+|\(\w+\)|\[[\w ]+\]|\{\{?[\w .]+\}\}?|<[\w ]+>)$/i;

/** Longer names say nothing, and would fill the cache. */
const LONGEST_KEY = 100;

/** Returns a name in lower case, with `_` between its words and without a number at its end. */
export function normalKey(key: string): string {
  return decoded(key.slice(0, LONGEST_KEY))
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .replace(/[^\p{L}\p{N}]+/gu, "_")
    .toLowerCase()
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replaceAll("ß", "ss")
    .replaceAll("ł", "l")
    .replace(/^_+|_*\d*_*$/g, "");
}

/** Decodes percent-encoding; returns the text as it is where it encodes nothing. */
export function decoded(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}

/** What a name says of its value. */
interface Named {
  rules: readonly Rule[];
  isVersion: boolean;
}

const NO_RULE: Named = { rules: [], isVersion: false };
const known = boundedMap<string, Named>("scrubbed-keys", { max: 2_000, ttl: HOUR_MS });

function namedBy(key: string): Named {
  if (key.length > LONGEST_KEY) return NO_RULE;
  const cached = known.get(key);
  if (cached) return cached;
  const name = normalKey(key);
  const rules = NO_VALUE.test(name) ? [] : RULES.filter((rule) => rule.name.test(name));
  const named = { rules, isVersion: VERSION_NAME.test(name) };
  known.set(key, named);
  return named;
}

/** Returns the kind that the value of a key is, by name and shape together; null if neither shows one. */
export function kindByKey(key: string, value: string, country: () => string): ScrubbedKind | null {
  const { rules } = namedBy(key);
  if (rules.length === 0 || TRIVIAL.test(value.trim())) return null;
  return rules.find((rule) => rule.fits(value.trim(), rule.kind === "phone" ? country() : ""))?.kind ?? null;
}

/** Returns whether a key names a version. */
export const isVersionKey = (key: string): boolean => namedBy(key).isVersion;
