import { expect, test } from "vitest";
import { isVisible } from "@/lib/platform/visible-text";

test("text with a character that cannot be seen is not visible", () => {
  for (const hidden of [
    ..."\u200b\u200c\u200d\u2060\ufeff\u00ad\u034f\u061c\u200e\u202e\u2066\u2028\u3164\u115f\u2800\u180e\u0000\n\t\u007f\ufe0f",
    "\u{e0041}",
    "\ud800",
  ]) {
    for (const text of [`Sh${hidden}op`, `Shop${hidden}`, `${hidden}Shop`, `سلام${hidden}`, `👍 ${hidden}`]) {
      expect(isVisible(text), escape(text)).toBe(false);
    }
  }
});

test("names in every script, and emoji, are visible", () => {
  for (const text of [
    "",
    "Café Noël",
    "می‌خواهم",
    "क्‍ष",
    "ශ්‍රී ලංකා",
    "网站",
    "👩‍💻 Team",
    "❤️",
    "1️⃣ First",
    "👍🏽",
    "🏴󠁧󠁢󠁥󠁮󠁧󠁿 Cup",
    "👩🏽‍🚀",
    "🏳️‍🌈",
    "日本語 ショップ",
  ]) {
    expect(isVisible(text), text).toBe(true);
  }
});
