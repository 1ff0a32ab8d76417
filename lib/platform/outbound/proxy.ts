import { once } from "node:events";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { checkedAddresses, type Internet, lookupOf } from "@/lib/platform/outbound/names";
import { allowedUrl } from "@/lib/platform/outbound/outbound";

/**
 * The way out of a browser that opens a stranger's page: it knows no other, and this one leads nowhere that `readPage`
 * would not go. Names are resolved here and their addresses checked, so that the page's own scripts, whatever they ask
 * for and however they spell it, reach public addresses on the ports of the web and nothing else.
 */
export interface GuardedProxy {
  port: number;
  /** The hosts that were let through. */
  reached: ReadonlySet<string>;
  stop(): void;
}

const MOST_CONNECTIONS = 200;
const MOST_BYTES = 64 * 1024 * 1024;

/** @param own the address of this service, to which the page sends its events; it may be a private one. */
export async function startGuardedProxy(own: URL, signal: AbortSignal, internet: Internet = {}): Promise<GuardedProxy> {
  const way = new Way(own, signal, internet);
  const server = http.createServer((request, response) => void way.pass(request, response));
  server.on("connect", (request, socket: Duplex, head: Buffer) => void way.tunnel(request.url ?? "", socket, head));
  server.on("connection", (socket) => way.keep(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const stop = () => {
    server.close();
    way.end();
  };
  signal.addEventListener("abort", stop, { once: true });
  return { port: (server.address() as AddressInfo).port, reached: way.reached, stop };
}

class Way {
  readonly reached = new Set<string>();
  private readonly sockets = new Set<Duplex>();
  private opened = 0;
  private bytes = 0;

  constructor(
    private readonly own: URL,
    private readonly signal: AbortSignal,
    private readonly internet: Internet,
  ) {}

  /** Ends with the others at the latest, and so does what nobody listens to. */
  keep(socket: Duplex): void {
    this.sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => this.sockets.delete(socket));
    socket.on("data", (piece: Buffer) => {
      this.bytes += piece.length;
      if (this.bytes > MOST_BYTES) this.end();
    });
  }

  end(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  /** `CONNECT host:port`: what follows is between the browser and that host. */
  async tunnel(target: string, socket: Duplex, head: Buffer): Promise<void> {
    try {
      const beyond = await this.open(new URL(`https://${target}`));
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      beyond.write(head);
      socket.pipe(beyond).pipe(socket);
      socket.once("close", () => beyond.destroy());
    } catch {
      socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    }
  }

  /** A request in the clear, `GET http://host/path`. */
  async pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const url = new URL(request.url ?? "");
      if (url.protocol !== "http:") throw new Error("Not a request to pass on");
      const socket = await this.open(url);
      const { "proxy-connection": _, ...headers } = request.headers;
      const onward = http.request(url, { method: request.method, headers, createConnection: () => socket });
      onward.on("error", () => response.destroy());
      onward.on("response", (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      request.pipe(onward);
    } catch {
      if (!response.headersSent) response.writeHead(403);
      response.end();
    }
  }

  /** @throws whatever keeps it from being reached. */
  private async open(url: URL): Promise<Socket> {
    if (++this.opened > MOST_CONNECTIONS) throw new Error("Too many connections");
    const { hostname, port } = url;
    const standard = url.protocol === "https:" ? 443 : 80;
    const isOwn = hostname === this.own.hostname && (port || standard) === (this.own.port || standard);
    const socket = isOwn
      ? connect({ host: hostname.replace(/^\[|\]$/g, ""), port: Number(port) || standard })
      : await this.openChecked(url, Number(port) || standard);
    this.keep(socket);
    await once(socket, "connect", { signal: this.signal });
    this.reached.add(hostname);
    return socket;
  }

  private async openChecked(url: URL, port: number): Promise<Socket> {
    const { hostname } = allowedUrl(url.href);
    const addresses = await checkedAddresses(hostname, this.signal, this.internet);
    return connect({ host: hostname, port: this.internet.port ?? port, lookup: lookupOf(addresses) });
  }
}
