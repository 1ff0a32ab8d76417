import { expect, test } from "vitest";
import { isAllowedAddress } from "@/lib/platform/outbound/names";

const allowed = (address: string, privateRanges: string[] = []) => isAllowedAddress(address, privateRanges);

test.each([
  ["private", ["10.0.0.1", "172.31.255.255", "192.168.1.1", "fc00::1", "fd00:ec2::254"]],
  ["loopback or unspecified", ["127.0.0.1", "0.0.0.0", "::1", "::"]],
  ["link-local, with the metadata of clouds", ["169.254.169.254", "fe80::1"]],
  ["shared by carriers", ["100.64.0.1", "100.127.255.254"]],
  ["Azure's WireServer", ["168.63.129.16"]],
  [
    "multicast, broadcast or reserved",
    ["224.0.0.1", "255.255.255.255", "240.0.0.1", "198.18.0.1", "192.0.2.1", "ff02::1"],
  ],
  ["IPv6 that is not allocated", ["4000::1", "1fff::1", "e000::1", "8000::1", "fec0::1"]],
  ["IPv4 inside of IPv6", ["::ffff:8.8.8.8", "::127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "2001::1"]],
  ["not the standard notation", ["0x7f.1", "127.1", "2130706433", "localhost", "", "8.8.8.8:80"]],
])("an address that is %s is never connected to", (_, addresses) => {
  expect(addresses.filter((address) => allowed(address))).toEqual([]);
});

test("public addresses are connected to, and private ones that the operator allows", () => {
  expect(["8.8.8.8", "198.41.0.4", "2001:4860:4860::8888", "2a02:2f0a::17"].every((address) => allowed(address))).toBe(
    true,
  );
  expect([allowed("10.1.2.3", ["10.1.0.0/16"]), allowed("10.2.2.3", ["10.1.0.0/16"])]).toEqual([true, false]);
  expect([allowed("4000::1", ["4000::1"]), allowed("4000::2", ["4000::1"])]).toEqual([true, false]);
});
