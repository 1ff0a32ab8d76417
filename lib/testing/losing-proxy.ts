import net from "node:net";

/** The lost message: COMMIT, or the answer to it. */
type Lost = "commit" | "answer";

/** A proxy in front of Postgres that breaks connections during COMMIT. */
export interface LosingProxy {
  /** The URL of Postgres through the proxy. */
  url: string;
  /** Loses this message in the next `times` transactions of the writer, and closes their connections. */
  lose(what: Lost, times: number): void;
  /** The number of lost messages. */
  lost(): number;
  /** Closes the connections to Postgres whose COMMIT was lost; until then their transactions stay open. */
  closeHeld(): void;
  close(): void;
}

/** The name of the first statement of writer transactions. */
const WRITER_STATEMENT = "lock-visitors";
const COMMIT = Buffer.from("COMMIT\0");

/** Starts the proxy. @param databaseUrl a Postgres with a host and port, or with its socket folder in the parameter `host`. */
export async function startLosingProxy(databaseUrl: string): Promise<LosingProxy> {
  const { hostname, port: ownPort, searchParams } = new URL(databaseUrl);
  const folder = searchParams.get("host");
  const connect = () => (folder ? net.connect(`${folder}/.s.PGSQL.5432`) : net.connect(Number(ownPort), hostname));
  const open = new Set<net.Socket>();
  const held = new Set<net.Socket>();
  let next: Lost = "answer";
  let [left, lost] = [0, 0];
  const server = net.createServer((near) => {
    const far = connect();
    let isWriter = false;
    for (const end of [near, far]) open.add(end.on("error", () => {}).on("close", () => open.delete(end)));
    const lose = () => {
      left--;
      lost++;
      near.destroy();
    };
    const loses = (what: Lost, chunk: Buffer) => isWriter && left > 0 && next === what && chunk.includes(COMMIT);
    near.on("data", (chunk) => {
      isWriter ||= chunk.includes(WRITER_STATEMENT);
      if (!loses("commit", chunk)) return far.write(chunk);
      held.add(far);
      lose();
    });
    far.on("data", (chunk) => {
      if (near.destroyed) return;
      if (loses("answer", chunk)) lose();
      else near.write(chunk);
    });
    near.on("close", () => held.has(far) || far.end());
    far.on("close", () => near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as net.AddressInfo;
  const url = Object.assign(new URL(databaseUrl), { hostname: "127.0.0.1", port });
  url.searchParams.delete("host");
  return {
    url: url.href,
    lose(what, times) {
      [next, left] = [what, times];
    },
    lost: () => lost,
    closeHeld() {
      for (const far of held) far.destroy();
    },
    close() {
      for (const end of open) end.destroy();
      server.close();
    },
  };
}
