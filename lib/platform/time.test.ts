import { expect, test } from "vitest";
import { isTimezone } from "@/lib/platform/time";

test("only IANA names and UTC, in any case, are time zones; POSIX zones, offsets and unknown places are not", () => {
  for (const name of ["FOO+99", "+02:00", "Mars/Phobos", "", "Europe/", "Europe/Berlin ", "../etc"]) {
    expect(isTimezone(name), name).toBe(false);
  }
  for (const name of ["UTC", "Europe/Berlin", "europe/berlin", "Asia/Kathmandu"])
    expect(isTimezone(name), name).toBe(true);
});
