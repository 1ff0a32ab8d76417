/**
 * The canonical form of names: of events, properties, experiments, variants, goals and users. It is applied to what is
 * stored and to every name that somebody types, so that names that look the same are the same.
 */

const PLAIN = /^[!-~]+(?: [!-~]+)*$/;
/** Not line breaks and tabs, which are spaces, nor the joiners and variants below. */
const INVISIBLE = /(?![\t-\r]|\u200c|\u200d|[\ufe00-\ufe0f])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
/** Joiners and variants shape emoji and the letters of other scripts; after these characters they shape nothing. */
const SHAPELESS =
  /(?<=(?:^|[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{P}\s])\p{M}*)(?:\u200c|\u200d|[\ufe00-\ufe0f])+|(?:\u200c|\u200d)+$/gu;

/** Returns a part of a name, such as the text that a name contains: spaces at its ends are kept. */
export function canonicalNamePart(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(INVISIBLE, "").replace(SHAPELESS, "").normalize("NFC").replace(/\s+/g, " ");
}

/** Returns a name without invisible characters, with single spaces between its words, and in Unicode's NFC. */
export const canonicalName = (text: string): string => canonicalNamePart(text).trim();

/** Returns an object with canonical names of its properties; the same object if they are. */
export function withCanonicalNames<T extends object>(object: T): T {
  const entries = Object.entries(object);
  return entries.every(([name]) => canonicalName(name) === name)
    ? object
    : (Object.fromEntries(entries.map(([name, value]) => [canonicalName(name), value])) as T);
}
