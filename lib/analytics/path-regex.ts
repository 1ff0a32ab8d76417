/**
 * The regular expression of a path pattern: `*` is any part of one segment, `**` any number of whole segments, so that
 * `/a/**` is `/a` and everything below.
 */
export function pathRegex(pattern: string): string {
  const segments = pattern
    .replace(/([^/])\*\*$/, "$1*/**")
    .split("/")
    .slice(1)
    // Postgres takes seconds to compile hundreds of adjacent loops; one of them means the same.
    .filter((segment, index, all) => segment !== "**" || all[index - 1] !== "**");
  const parts = segments.map((segment) =>
    segment === "**"
      ? "(/[^/]*)*"
      : `/${segment
          .split("*")
          .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"))
          .join("[^/]*")}`,
  );
  return `^${parts.join("")}$`;
}
