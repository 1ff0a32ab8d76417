import { msg } from "@/lib/texts/translate";

/** The kinds of personal data and secrets that are replaced before anything is stored, and counted. */
export const SCRUBBED = {
  email: msg("an email address, or the value of something named so"),
  phone: msg("an international phone number, and any phone number in something named so or in a link that calls it"),
  card: msg("a payment card's number, by its network, its length and its check digit"),
  iban: msg("a bank account's number (IBAN)"),
  ip: msg("an IP address that is a whole value, or is named so, and any long IPv6 address"),
  token: msg(
    "a secret by its shape: a JWT, the key of a known provider, a long random text, and in links that reset, confirm, invite or sign in also a short one or a UUID",
  ),
  secret: msg(
    "a private key, a password in a URL, and the value of something named like a secret, such as password, access_token or code, if its value may be one",
  ),
  personal: msg("the value of something named like what a person has, such as first_name, username, address or tax_id"),
  custom: msg("what the site's own rules name"),
} as const;
export type ScrubbedKind = keyof typeof SCRUBBED;

/** Where in an event a piece was replaced. */
export const SCRUBBED_PLACES = {
  path: msg("path of a page"),
  title: msg("title of a page"),
  referrer: msg("path of a referrer"),
  campaign: msg("campaign"),
  event_name: msg("name of an event"),
  property: msg("property"),
} as const;
export type ScrubbedPlace = keyof typeof SCRUBBED_PLACES;

/** A piece that was replaced. */
export interface ScrubbedPiece {
  kind: ScrubbedKind;
  place: ScrubbedPlace;
  /** The property, as it is stored; '' in other places. */
  name: string;
}

/** Called for each piece that is replaced. */
export type OnScrubbed = (kind: ScrubbedKind) => void;

/** Notes a piece of this kind, and returns what stands for it. */
export type Replace = (kind: ScrubbedKind) => string;
