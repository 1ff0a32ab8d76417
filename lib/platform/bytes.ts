const UNITS = ["B", "kB", "MB", "GB", "TB"];

/** Formats a size in powers of 1000, such as "1.4 GB". */
export function formatBytes(bytes: number): string {
  const size = Math.max(0, bytes);
  const place = size < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(size) / 3));
  const value = size / 1000 ** place;
  return `${place > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} ${UNITS[place]}`;
}
