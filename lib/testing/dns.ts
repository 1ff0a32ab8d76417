import { createSocket } from "node:dgram";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import * as packet from "dns-packet";

/** The records of a name: addresses, texts (a string per record, or its chunks) and an alias. */
interface Records {
  A?: string[];
  AAAA?: string[];
  TXT?: (string | string[])[];
  CNAME?: string;
  /** Truncates the UDP answer, so that the client repeats the query over TCP. */
  truncated?: boolean;
}

/** What a name server does: answer with records, fail, refuse, or not answer. */
type Behaviour = Records | "servfail" | "refused" | "silent";

export interface DnsServer {
  /** For `DNS_SERVERS`: `127.0.0.1:<port>`. */
  address: string;
  /**
   * Sets the behaviour of a name. With several, the first query of each type gets the first, and so on; the last one
   * remains. A name that was never set does not exist.
   */
  set(name: string, ...behaviours: [Behaviour, ...Behaviour[]]): void;
  /** The number of queries for a name and type. */
  queryCount(name: string, type: "A" | "AAAA" | "TXT"): number;
  stop(): Promise<void>;
}

const RCODES = { servfail: 2, nxdomain: 3, refused: 5 };

/** Starts a name server on loopback, over UDP and TCP. */
export async function startDns(): Promise<DnsServer> {
  const names = new Map<string, Behaviour[]>();
  const questions = new Map<string, number>();
  const behaviourOf = (name: string, type: string): Behaviour | undefined => {
    const key = `${name.toLowerCase()} ${type}`;
    const before = questions.get(key) ?? 0;
    questions.set(key, before + 1);
    const known = names.get(name.toLowerCase());
    return known?.[Math.min(before, known.length - 1)];
  };
  const reply = (query: packet.Packet, overUdp: boolean) => replyTo(query, overUdp, names, behaviourOf);

  const sockets = new Set<Socket>();
  const tcp = createServer((socket) => {
    sockets.add(socket);
    let received = Buffer.alloc(0);
    socket.on("error", () => {});
    socket.on("data", (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return;
      const answer = reply(packet.streamDecode(received), false);
      received = Buffer.alloc(0);
      if (answer) socket.write(packet.streamEncode(answer));
    });
  }).listen(0, "127.0.0.1");
  await once(tcp, "listening");
  const { port } = tcp.address() as AddressInfo;

  const udp = createSocket("udp4", (message, from) => {
    const answer = reply(packet.decode(message), true);
    if (answer) udp.send(packet.encode(answer), from.port, from.address);
  }).bind(port, "127.0.0.1");
  await once(udp, "listening");

  return {
    address: `127.0.0.1:${port}`,
    set: (name, ...behaviours) => {
      names.set(name.toLowerCase(), behaviours);
      for (const type of ["A", "AAAA", "TXT"]) questions.delete(`${name.toLowerCase()} ${type}`);
    },
    queryCount: (name, type) => questions.get(`${name.toLowerCase()} ${type}`) ?? 0,
    async stop() {
      udp.close();
      tcp.close();
      for (const socket of sockets) socket.destroy();
      await once(tcp, "close");
    },
  };
}

/** Returns the answer to one query; null for no answer. */
function replyTo(
  query: packet.Packet,
  overUdp: boolean,
  names: ReadonlyMap<string, Behaviour[]>,
  behaviourOf: (name: string, type: string) => Behaviour | undefined,
): packet.Packet | null {
  const [question] = query.questions ?? [];
  if (!question) return null;
  const behaviour = behaviourOf(question.name, question.type);
  if (behaviour === "silent") return null;
  const answer = (flags: number, answers: packet.Answer[] = []): packet.Packet => ({
    type: "response",
    id: query.id,
    flags: packet.RECURSION_DESIRED | packet.RECURSION_AVAILABLE | flags,
    questions: [question],
    answers,
  });
  if (behaviour === undefined) return answer(RCODES.nxdomain);
  if (typeof behaviour === "string") return answer(RCODES[behaviour]);
  if (behaviour.truncated && overUdp) return answer(packet.TRUNCATED_RESPONSE);
  const alias = behaviour.CNAME;
  if (alias === undefined) return answer(0, recordsOf(question.name, question.type, behaviour));
  // Like a recursive resolver: the alias, and the records of its target.
  const [target] = names.get(alias.toLowerCase()) ?? [];
  const behind = typeof target === "object" ? recordsOf(alias, question.type, target) : [];
  return answer(0, [{ type: "CNAME", name: question.name, ttl: 0, data: alias }, ...behind]);
}

function recordsOf(name: string, type: string, records: Records): packet.Answer[] {
  if (type === "A" || type === "AAAA") return (records[type] ?? []).map((data) => ({ type, name, ttl: 0, data }));
  if (type === "TXT") return (records.TXT ?? []).map((data) => ({ type, name, ttl: 0, data }));
  return [];
}
