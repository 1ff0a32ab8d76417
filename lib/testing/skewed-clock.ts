import { writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { temporaryDir } from "@/lib/testing/temporary-dir";

/** Shifts what each thread of a process, and each Node process that it starts, reads from the clock. */
const program = (skewMs: number) => `
  import childProcess from "node:child_process";
  import { syncBuiltinESMExports } from "node:module";
  const { now } = Date;
  Date.now = () => now() + ${skewMs};
  globalThis.Date = new Proxy(Date, {
    construct: (target, args, made) => Reflect.construct(target, args.length > 0 ? args : [target.now()], made),
    apply: (target) => new target(target.now()).toString(),
  });
  const { spawn } = childProcess;
  childProcess.spawn = (command, args, ...more) =>
    spawn(command, command === process.execPath ? ["--import", import.meta.url, ...args] : args, ...more);
  syncBuiltinESMExports();`;

/** Returns the Node flags of a server whose clock is ahead of the machine's by this many milliseconds, or behind it. */
export function flagsOfClock(skewMs: number): string[] {
  const file = path.join(temporaryDir(), "clock.mjs");
  writeFileSync(file, program(skewMs));
  return [`--import=${pathToFileURL(file)}`];
}
