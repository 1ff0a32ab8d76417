import { expect, test } from "vitest";
import { isTimezone } from "@/lib/platform/time";

test("POSIX zones, bare offsets and places that do not exist are no timezones; UTC and any capitals are", () => {
  for (const name of ["FOO+99", "+02:00", "Mars/Phobos", "", "Europe/", "Europe/Berlin ", "../etc"]) {
    expect(isTimezone(name), name).toBe(false);
  }
  for (const name of ["UTC", "Europe/Berlin", "europe/berlin", "Asia/Kathmandu"])
    expect(isTimezone(name), name).toBe(true);
});
