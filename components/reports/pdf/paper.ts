import path from "node:path";
import { type Font, openSync } from "fontkit";
import PDFDocument from "pdfkit";
import { currentLanguage, t } from "@/lib/texts/translate";

/** A PDF document with text in lines that fit, in a font of its own. It has no links, scripts or files. */

const FONTS = "node_modules/@expo-google-fonts/noto-sans";
const fontFile = (name: string) => path.join(process.cwd(), FONTS, name, `NotoSans_${name}.ttf`);
const FACES = { plain: fontFile("400Regular"), strong: fontFile("600SemiBold") };
type Face = keyof typeof FACES;

/** They have the letters of Latin, Greek, Cyrillic and Devanagari; others are drawn as boxes. */
const opened: Partial<Record<Face, Font>> = {};
function fontOf(face: Face): Font {
  opened[face] ??= openSync(FACES[face]) as Font;
  return opened[face];
}

/** The colours of a page in light mode. */
export const INK = "#141a24";
export const MUTED = "#566073";
export const LINE = "#e1e4ea";
export const ACCENT = "#2456d6";
export const BAR = "#e3eafa";

interface Style {
  face?: Face;
  size: number;
  colour?: string;
}

const MARGIN = 44;
const FOOTER = 26;
/** Room between the baselines of two lines, in sizes of the font. */
export const LEADING = 1.38;

export class Paper {
  /** Where the next block begins, in points from the top. */
  y = MARGIN;
  readonly left = MARGIN;
  /** Whether a text had letters that the font lacks. */
  lacksLetters = false;
  readonly #doc: PDFKit.PDFDocument;
  /** The width of each letter in sizes of the font. Adding them up is far cheaper than laying each text out. */
  readonly #widths: Record<Face, Map<string, number>> = { plain: new Map(), strong: new Map() };
  readonly #chunks: Buffer[] = [];
  readonly #ended: Promise<void>;

  constructor({ title, author, at, wide }: { title: string; author: string; at: Date; wide: boolean }) {
    this.#doc = new PDFDocument({
      size: "A4",
      layout: wide ? "landscape" : "portrait",
      margin: 0,
      bufferPages: true,
      font: FACES.plain,
      lang: currentLanguage(),
      displayTitle: true,
      info: { Title: title, Author: author, Creator: "Footfall", CreationDate: at },
    });
    this.#doc.on("data", (chunk: Buffer) => this.#chunks.push(chunk));
    this.#ended = new Promise((resolve, reject) => this.#doc.once("end", resolve).once("error", reject));
  }

  get width(): number {
    return this.#doc.page.width - 2 * MARGIN;
  }

  /** The room that is left on the page. */
  get room(): number {
    return this.#doc.page.height - MARGIN - FOOTER - this.y;
  }

  newPage(): void {
    this.#doc.addPage();
    this.y = MARGIN;
  }

  /** Returns the width of a text without kerning, which makes it no wider. */
  widthOf(text: string, { face = "plain", size }: Style): number {
    let width = 0;
    for (const letter of text) width += this.#letterWidth(face, letter);
    return width * size;
  }

  #letterWidth(face: Face, letter: string): number {
    const known = this.#widths[face].get(letter);
    if (known !== undefined) return known;
    const font = fontOf(face);
    const code = letter.codePointAt(0) ?? 0;
    if (!font.hasGlyphForCodePoint(code)) this.lacksLetters = true;
    const width = font.glyphForCodePoint(code).advanceWidth / font.unitsPerEm;
    this.#widths[face].set(letter, width);
    return width;
  }

  /** Breaks a text into lines; the last one ends in an ellipsis if there are more. Words that are too long are broken. */
  linesOf(text: string, width: number, most: number, style: Style): string[] {
    const lines: string[] = [];
    let rest = oneLine(text.slice(0, LONGEST_TEXT));
    while (rest !== "") {
      if (this.widthOf(rest, style) <= width) return [...lines, rest];
      const isLast = lines.length + 1 >= most;
      const fitting = this.#fitting(rest, isLast ? width - this.widthOf("…", style) : width, style);
      if (isLast) return [...lines, `${fitting.trimEnd()}…`];
      const space = Math.max(fitting.lastIndexOf(" "), fitting.lastIndexOf("/"));
      const line = space > fitting.length / 3 ? fitting.slice(0, space + 1) : fitting;
      lines.push(line.trimEnd());
      rest = rest.slice(line.length).trimStart();
    }
    return lines.length > 0 ? lines : [""];
  }

  /** The longest beginning of a text that fits, at least one letter. */
  #fitting(text: string, width: number, style: Style): string {
    let fitting = "";
    let used = 0;
    for (const letter of text) {
      used += this.widthOf(letter, style);
      if (used > width && fitting !== "") break;
      fitting += letter;
    }
    return fitting;
  }

  /** Draws a line of text. @param align within a width */
  line(text: string, x: number, y: number, style: Style, align?: { right: number }): void {
    const shown = oneLine(text);
    const { face = "plain", size, colour = INK } = style;
    const from = align ? x + align.right - this.widthOf(shown, style) : x;
    this.#doc.font(FACES[face]).fontSize(size).fillColor(colour).text(shown, from, y, { lineBreak: false });
  }

  rectangle(x: number, y: number, width: number, height: number, colour: string, radius = 0): void {
    if (width <= 0 || height <= 0) return;
    const round = Math.min(radius, width / 2, height / 2);
    this.#doc.roundedRect(x, y, width, height, round).fill(colour);
  }

  rule(y: number): void {
    this.rectangle(this.left, y, this.width, 0.6, LINE);
  }

  /** Ends the document. @param footer the text at the bottom of each page, beside its number */
  async end(footer: string): Promise<Buffer<ArrayBuffer>> {
    const { count } = this.#doc.bufferedPageRange();
    const style = { size: 7.5, colour: MUTED };
    for (let page = 0; page < count; page++) {
      this.#doc.switchToPage(page);
      const y = this.#doc.page.height - MARGIN - 4;
      const [line = ""] = this.linesOf(footer, this.width - 80, 1, style);
      this.line(line, this.left, y, style);
      this.line(t("{page} of {count}", { page: page + 1, count }), this.left, y, style, { right: this.width });
    }
    this.#doc.end();
    await this.#ended;
    return Buffer.concat(this.#chunks);
  }
}

/** More letters fit no cell. */
const LONGEST_TEXT = 2_000;
/** Line breaks and tabs are spaces; what has no width is left out. */
const oneLine = (text: string): string => text.replace(/\s+/gu, " ").replace(/[\p{Cc}\p{Cf}]/gu, "");
