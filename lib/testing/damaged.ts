/**
 * The text with one character exchanged for another, so that it never equals what it was made from, whatever a random
 * secret begins with. The first character is exchanged, unless another place is named: in base64url a change of the
 * last one can leave the bytes as they were.
 */
export const damaged = (text: string, at = 0) =>
  `${text.slice(0, at)}${text[at] === "A" ? "B" : "A"}${text.slice(at + 1)}`;
