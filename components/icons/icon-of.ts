import * as flags from "country-flag-icons/string/3x2";
import brands from "@/components/icons/brands.json";

/** Icons of dimension values. Server only: browsers get the address of each icon, because all of them are a quarter of a MB. */

interface Brand {
  /** Names of values, in lower case. */
  names: string[];
  svg: string;
  /** Drawn in the colour of the text. */
  plain?: boolean;
}

const BRANDS = new Map<string, Brand>(Object.entries(brands));
const KEYS = new Map([...BRANDS].flatMap(([key, { names }]) => names.map((name) => [name, key] as const)));
const FLAGS = new Map<string, string>(Object.entries(flags).filter(([code]) => /^[A-Z]{2}$/.test(code)));

/** The dimensions whose values are names of brands. */
const OF_BRANDS = new Set(["source", "utm_source", "browser", "os", "bot_operator"]);

/** The icons that are part of the page, by the value of a device. */
const DEVICES = new Map(
  Object.entries({
    Desktop: "glyph-desktop",
    Mobile: "glyph-mobile",
    Tablet: "glyph-tablet",
    "TV or console": "glyph-tv",
  }),
);

/**
 * Returns the icon of a value: the path of a file below `/icons`, `glyph-…`, or `letter` for a value without an icon, whose
 * first letter stands for it. Undefined for a dimension whose values have no icons. Only names of the bundled list become paths.
 */
export function iconOf(dimension: string, value: string | null): string | undefined {
  if (!OF_BRANDS.has(dimension) && dimension !== "country" && dimension !== "device") return undefined;
  if (value === null || value === "") return dimension === "source" ? "glyph-direct" : "glyph-unknown";
  if (dimension === "country") return FLAGS.has(value) ? `flags/${value}` : "glyph-unknown";
  if (dimension === "device") return DEVICES.get(value) ?? "glyph-unknown";
  const key = KEYS.get(value.toLowerCase());
  return key === undefined ? "letter" : `${BRANDS.get(key)?.plain ? "plain" : "brands"}/${key}`;
}

/** Returns the file of an icon by the two parts of its path, as SVG; undefined for an unknown one. */
export function iconFile(kind: string, name: string): string | undefined {
  if (kind === "flags") return FLAGS.get(name);
  const brand = BRANDS.get(name);
  return brand && kind === (brand.plain ? "plain" : "brands") ? brand.svg : undefined;
}
