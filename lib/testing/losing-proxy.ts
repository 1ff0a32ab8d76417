import net from "node:net";

/** What gets lost on the way: the word COMMIT, or the answer to it. */
type Lost = "commit" | "answer";

/** A Postgres behind a connection that breaks in the worst moment, for tests. */
export interface LosingProxy {
  /** Where to reach Postgres through it. */
  url: string;
  /** Loses this of the next so many transactions of the writer, and breaks their connections off. */
  lose(what: Lost, times: number): void;
  /** How many were lost so far. */
  lost(): number;
  /** Ends the connections to Postgres whose COMMIT was lost: until then their transactions are open. */
  letGo(): void;
  close(): void;
}

/** The writer's transactions are known by the name of their first statement. */
const WRITERS_MARK = "lock-visitors";
const COMMIT = Buffer.from("COMMIT\0");

/** @param databaseUrl of an embedded Postgres, which is reached through a socket in the folder that `host` names. */
export async function startLosingProxy(databaseUrl: string): Promise<LosingProxy> {
  const socket = `${new URL(databaseUrl).searchParams.get("host")}/.s.PGSQL.5432`;
  const open = new Set<net.Socket>();
  const held = new Set<net.Socket>();
  let next: Lost = "answer";
  let [left, lost] = [0, 0];
  const server = net.createServer((near) => {
    const far = net.connect(socket);
    let isWriter = false;
    for (const end of [near, far]) open.add(end.on("error", () => {}).on("close", () => open.delete(end)));
    const lose = () => {
      left--;
      lost++;
      near.destroy();
    };
    const loses = (what: Lost, chunk: Buffer) => isWriter && left > 0 && next === what && chunk.includes(COMMIT);
    near.on("data", (chunk) => {
      isWriter ||= chunk.includes(WRITERS_MARK);
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
  const url = new URL(databaseUrl.replace("@localhost/", `@127.0.0.1:${port}/`));
  url.searchParams.delete("host");
  return {
    url: url.href,
    lose(what, times) {
      [next, left] = [what, times];
    },
    lost: () => lost,
    letGo() {
      for (const far of held) far.destroy();
    },
    close() {
      for (const end of open) end.destroy();
      server.close();
    },
  };
}
