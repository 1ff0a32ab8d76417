import { inflateSync } from "node:zlib";

/** Reads PDF files as a reader's search does: by the table of letters that each of its fonts has. */

export interface ReadPdf {
  pages: number;
  /** The pieces of text in the order of the file. */
  texts: string[];
  /** Everything in it, with its streams unpacked. */
  source: string;
}

export function readPdf(file: Buffer): ReadPdf {
  const objects = new Map<string, string>();
  for (const [, id = "", content = ""] of file.toString("latin1").matchAll(/(\d+) 0 obj\n([\s\S]*?)\nendobj/g))
    objects.set(id, unpacked(content));
  const source = [...objects.values()].join("\n");
  const fonts = new Map(
    [...source.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name = "", id = ""]) => {
      const [, letters = ""] = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id) ?? "") ?? [];
      return [name, lettersIn(objects.get(letters) ?? "")] as const;
    }),
  );
  const texts: string[] = [];
  let font: Map<number, string> | undefined;
  for (const [, name, pieces] of source.matchAll(/\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ/g)) {
    if (name) font = fonts.get(name);
    else texts.push([...(pieces ?? "").matchAll(/<([0-9a-f]*)>/g)].map(([, hex = ""]) => decoded(hex, font)).join(""));
  }
  return { pages: source.match(/\/Type \/Page\b/g)?.length ?? 0, texts, source };
}

function unpacked(content: string): string {
  const [, head = "", body = ""] = /^([\s\S]*?)stream\n([\s\S]*)\nendstream$/.exec(content) ?? [];
  if (!head.includes("/FlateDecode")) return content;
  return `${head}stream\n${inflateSync(Buffer.from(body, "latin1")).toString("latin1")}\nendstream`;
}

/** Reads the ranges of a CMap, in which pdfkit lists each letter. */
function lettersIn(cmap: string): Map<number, string> {
  const letters = new Map<number, string>();
  for (const [, from = "", list = ""] of cmap.matchAll(/<([0-9a-f]{4})> <[0-9a-f]{4}> \[([^\]]*)\]/g)) {
    const start = Number.parseInt(from, 16);
    for (const [index, [, hex = ""]] of [...list.matchAll(/<([0-9a-f ]*)>/g)].entries())
      letters.set(start + index, Buffer.from(hex.replaceAll(" ", ""), "hex").swap16().toString("utf16le"));
  }
  return letters;
}

const decoded = (hex: string, font: Map<number, string> | undefined): string =>
  (hex.match(/.{4}/g) ?? []).map((glyph) => font?.get(Number.parseInt(glyph, 16)) ?? "").join("");
