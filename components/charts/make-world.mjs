// Generates world.json, the country shapes of the map, from Natural Earth 4.1.0 (public domain):
//   npm install --no-save world-atlas@2.0.2 topojson-client@3.1.0 d3-geo@3.1.1 && node components/charts/make-world.mjs && npx biome format --write components/charts/world.json
// Countries that are missing in the 1:110m data become points, taken from the 1:50m data.
import { readFileSync, writeFileSync } from "node:fs";
import { geoCentroid, geoEqualEarth, geoPath } from "d3-geo";
import { feature } from "topojson-client";

const WIDTH = 1000;

const read = (scale) => {
  const file = new URL(import.meta.resolve(`world-atlas/countries-${scale}.json`));
  const world = JSON.parse(readFileSync(file, "utf8"));
  return feature(world, world.objects.countries).features.filter((country) => codeOf(country) !== "AQ");
};

/** Returns the ISO 3166-1 alpha-2 code of a country (XK for Kosovo, as in GeoIP databases); null for other areas. */
function codeOf({ id, properties }) {
  if (properties.name === "Kosovo") return "XK";
  const [, code = ""] = id ? (Intl.getCanonicalLocales(`und-${id}`)[0]?.split("-") ?? []) : [];
  return /^[A-Z]{2}$/.test(code) ? code : null;
}

const coarse = read("110m");
const all = { type: "FeatureCollection", features: coarse };
// Rotated by 11°, so that the map's edge cuts only Russia and Fiji.
const projection = geoEqualEarth().rotate([-11, 0]).fitWidth(WIDTH, all);
const draw = geoPath(projection).digits(0);
const height = Math.ceil(draw.bounds(all)[1][1]);

const shapes = {};
for (const country of coarse) {
  const code = codeOf(country) ?? "";
  shapes[code] = (shapes[code] ?? "") + draw(country);
}
const points = {};
for (const country of read("50m")) {
  const code = codeOf(country);
  if (code && !(code in shapes)) points[code] = projection(geoCentroid(country)).map(Math.round);
}
writeFileSync(
  new URL("world.json", import.meta.url),
  `${JSON.stringify({ width: WIDTH, height, shapes, points }, null, 2)}\n`,
);
