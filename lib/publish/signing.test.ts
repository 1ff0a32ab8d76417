import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { readClientIp } from "@/lib/ingest/site/forwarded-address";
import type { Incoming } from "@/lib/platform/http/http";
import { SIGNED_CURL, SIGNED_EXAMPLE, SIGNERS } from "@/lib/publish/signing";
import { keyOf, postBody } from "@/lib/testing/measuring";
import { temporaryDir } from "@/lib/testing/temporary-dir";
import { makeSite } from "@/lib/testing/world";

interface Given {
  key: string;
  timestamp: string;
  ip: string;
  body: string;
}
type Sign = (given: Given) => string;

const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
const has = (command: string, ...args: string[]): boolean => {
  try {
    run(command, ...args);
    return true;
  } catch {
    return false;
  }
};
const texts = (...given: string[]) => given.map((text) => JSON.stringify(text)).join(", ");

test("the server accepts the example signature of the docs", () => {
  const { key, timestamp, ip, body, signature } = SIGNED_EXAMPLE;
  const headers: Record<string, string> = {
    "x-footfall-client-ip": ip,
    "x-footfall-client-ip-timestamp": timestamp,
    "x-footfall-client-ip-signature": signature,
  };
  const request: Incoming = { header: (name) => headers[name] ?? null, bytes: async () => null };
  const now = new Date(Number(timestamp) * 1000);
  expect(readClientIp(request, Buffer.from(body), key, now)).toEqual({ accepted: true, address: ip });
});

/** Checks a signer against the example of the docs, and against the server with another key, address and body. */
async function expectToSign(sign: Sign): Promise<void> {
  const { signature, ...example } = SIGNED_EXAMPLE;
  expect(sign(example)).toBe(signature);
  const { key } = await keyOf(await makeSite());
  const at = new Date("2025-03-04T12:00:00Z");
  const given = {
    key,
    timestamp: `${at.getTime() / 1000}`,
    ip: "2001:db8:7::1",
    body: '{"events":[{"type":"event","name":"Sign-up é"}]}',
  };
  const headers = {
    "x-footfall-client-ip": given.ip,
    "x-footfall-client-ip-timestamp": given.timestamp,
    "x-footfall-client-ip-signature": sign(given),
  };
  const { status, body } = await postBody(given.body, { key, at, headers });
  expect([status, body.client_ip, body.counts.stored]).toEqual([200, { accepted: true }, 1]);
}

test("the signer for Node.js signs as the server does", async () => {
  await expectToSign(({ key, timestamp, ip, body }) => {
    const program = `${SIGNERS["Node.js"]}\nconsole.log(sign(${texts(key, timestamp, ip, body)}));`;
    return run(process.execPath, "--input-type=module", "-e", program);
  });
});

test.runIf(has("python3", "--version"))("the signer for Python signs as the server does", async () => {
  await expectToSign(({ key, timestamp, ip, body }) =>
    run("python3", "-c", `${SIGNERS.Python}\nprint(sign(${texts(key, timestamp, ip, body)}.encode()))`),
  );
});

test.runIf(has("php", "--version"))("the signer for PHP signs as the server does", async () => {
  await expectToSign(({ key, timestamp, ip, body }) =>
    run("php", "-r", `${SIGNERS.PHP}\necho sign('${key}', '${timestamp}', '${ip}', '${body}');`),
  );
});

test.runIf(has("go", "version"))("the signer for Go signs as the server does", async ({ onTestFinished }) => {
  const dir = temporaryDir(onTestFinished);
  const calls = `func main() { fmt.Print(sign(os.Args[1], os.Args[2], os.Args[3], []byte(os.Args[4]))) }`;
  writeFileSync(path.join(dir, "sign.go"), `package main\nimport "os"\n${SIGNERS.Go}\n${calls}\n`);
  const program = path.join(dir, "sign");
  run("go", "build", "-o", program, path.join(dir, "sign.go"));
  await expectToSign(({ key, timestamp, ip, body }) => run(program, key, timestamp, ip, body));
});

test.runIf(has("openssl", "version"))("openssl computes the same signature", async () => {
  const lines = SIGNED_CURL("http://localhost").split("\n");
  const signing = lines
    .slice(
      2,
      lines.findIndex((line) => line.startsWith("curl")),
    )
    .join("\n");
  await expectToSign(({ key, timestamp, ip, body }) => {
    const given = `INGEST_KEY='${key}' TIMESTAMP='${timestamp}' IP='${ip}' BODY='${body}'`;
    return run("sh", "-c", `${given}\n${signing}\nprintf %s "$SIGNATURE"`);
  });
});

test("the signers for PHP and Go name the same parts in the same order", () => {
  expect(SIGNERS.PHP).toContain(`"$timestamp\\n$ip\\n" . hash('sha256', $body), $key`);
  expect(SIGNERS.Go).toContain(`"%s\\n%s\\n%x", timestamp, ip, bodyHash`);
});
