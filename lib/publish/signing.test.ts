import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import type { Incoming } from "@/lib/gateway/http";
import { readClientIp } from "@/lib/ingest/client-ip";
import { SIGNED_EXAMPLE, SIGNERS } from "@/lib/publish/signing";

const { key, timestamp, ip, body, signature } = SIGNED_EXAMPLE;
const now = new Date(Number(timestamp) * 1000);
const run = (command: string, ...args: string[]) => execFileSync(command, args, { encoding: "utf8" }).trim();
const given = [key, timestamp, ip].map((text) => JSON.stringify(text)).join(", ");

test("the server takes the signature that the docs work out", () => {
  const headers: Record<string, string> = {
    "x-footfall-client-ip": ip,
    "x-footfall-client-ip-timestamp": timestamp,
    "x-footfall-client-ip-signature": signature,
  };
  const request: Incoming = { header: (name) => headers[name] ?? null, bytes: async () => null };
  expect(readClientIp(request, Buffer.from(body), key, now)).toEqual({ accepted: true, address: ip });
});

test("the signer for Node.js signs as the server does", () => {
  const call = `console.log(sign(${given}, ${JSON.stringify(body)}));`;
  expect(run(process.execPath, "--input-type=module", "-e", `${SIGNERS["Node.js"]}\n${call}`)).toBe(signature);
});

const has = (command: string, ...args: string[]): boolean => {
  try {
    run(command, ...args);
    return true;
  } catch {
    return false;
  }
};

test.runIf(has("python3", "--version"))("the signer for Python signs as the server does", () => {
  const call = `print(sign(${given}, ${JSON.stringify(body)}.encode()))`;
  expect(run("python3", "-c", `${SIGNERS.Python}\n${call}`)).toBe(signature);
});

test.runIf(has("php", "--version"))("the signer for PHP signs as the server does", () => {
  const call = `echo sign('${key}', '${timestamp}', '${ip}', '${body}');`;
  expect(run("php", "-r", `${SIGNERS.PHP}\n${call}`)).toBe(signature);
});

test("the signers for PHP and Go name the same parts in the same order", () => {
  expect(SIGNERS.PHP).toContain(`"$timestamp\\n$ip\\n" . hash('sha256', $body), $key`);
  expect(SIGNERS.Go).toContain(`"%s\\n%s\\n%x", timestamp, ip, bodyHash`);
});
