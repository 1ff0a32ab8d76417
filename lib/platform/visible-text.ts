/** What shows nothing, or changes how the text around it shows; the braille blank looks like a space. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Characters that decide how their neighbours look: in emoji, and in scripts whose letters join. */
const SHAPING = [
  "(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}])\\ufe0f",
  "(?<=[0-9#*])\\ufe0f(?=\\u20e3)",
  "(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})",
  "(?<=\\u{1f3f4}[\\u{e0061}-\\u{e007a}]*)[\\u{e0061}-\\u{e007a}]|(?<=[\\u{e0061}-\\u{e007a}])\\u{e007f}",
  ...["Arabic", "Bengali", "Devanagari", "Gujarati", "Gurmukhi", "Kannada", "Khmer", "Malayalam"].map(joining),
  ...["Mongolian", "Myanmar", "Oriya", "Sinhala", "Syriac", "Tamil", "Telugu", "Tibetan"].map(joining),
];
const EVERY_SHAPING = new RegExp(SHAPING.join("|"), "gu");

function joining(script: string): string {
  return `(?<=\\p{Script=${script}}\\p{M}*)[\\u200c\\u200d](?=\\p{Script=${script}})`;
}

/** Returns whether all of a text can be seen, so that no two texts that differ look the same because of what is hidden. */
export const isVisible = (text: string): boolean => !UNSEEN.test(text.replace(EVERY_SHAPING, ""));
