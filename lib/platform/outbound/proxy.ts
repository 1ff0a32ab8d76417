import { once } from "node:events";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { checkedAddresses, type Internet, lookupOf } from "@/lib/platform/outbound/names";
import { allowedUrl } from "@/lib/platform/outbound/outbound";

/**
 * The only network access of a browser that opens an untrusted page. The proxy resolves names and checks their
 * addresses like `readPage`, so that scripts of the page reach public addresses on ports 80 and 443 only.
 */
interface GuardedProxy {
  port: number;
  /** The hosts that the page has connected to. */
  reached: ReadonlySet<string>;
  stop(): void;
}

const MAX_CONNECTIONS = 200;
const MAX_BYTES = 64 * 1024 * 1024;

/** Starts the proxy. @param own the URL of this service, which receives the page's events; it may be private. */
export async function startGuardedProxy(own: URL, signal: AbortSignal, internet: Internet = {}): Promise<GuardedProxy> {
  const proxy = new Connections(own, signal, internet);
  const server = http.createServer((request, response) => void proxy.forward(request, response));
  server.on("connect", (request, socket: Duplex, head: Buffer) => void proxy.tunnel(request.url ?? "", socket, head));
  server.on("connection", (socket) => proxy.track(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const stop = () => {
    server.close();
    proxy.end();
  };
  signal.addEventListener("abort", stop, { once: true });
  return { port: (server.address() as AddressInfo).port, reached: proxy.reached, stop };
}

class Connections {
  readonly reached = new Set<string>();
  private readonly sockets = new Set<Duplex>();
  private opened = 0;
  private bytes = 0;

  constructor(
    private readonly own: URL,
    private readonly signal: AbortSignal,
    private readonly internet: Internet,
  ) {}

  /** Destroys a socket on errors, and with all others in `end()`. Ends everything above `MAX_BYTES`. */
  track(socket: Duplex): void {
    this.sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => this.sockets.delete(socket));
    socket.on("data", (chunk: Buffer) => {
      this.bytes += chunk.length;
      if (this.bytes > MAX_BYTES) this.end();
    });
  }

  end(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  /** `CONNECT host:port`: connects the browser to that host. */
  async tunnel(target: string, socket: Duplex, head: Buffer): Promise<void> {
    try {
      const upstream = await this.open(new URL(`https://${target}`));
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      upstream.write(head);
      socket.pipe(upstream).pipe(socket);
      socket.once("close", () => upstream.destroy());
    } catch {
      socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    }
  }

  /** Forwards a plain http request, `GET http://host/path`. */
  async forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const url = new URL(request.url ?? "");
      if (url.protocol !== "http:") throw new Error("Not a proxy request");
      const socket = await this.open(url);
      const { "proxy-connection": _, ...headers } = request.headers;
      const forwarded = http.request(url, { method: request.method, headers, createConnection: () => socket });
      forwarded.on("error", () => response.destroy());
      forwarded.on("response", (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      request.pipe(forwarded);
    } catch {
      if (!response.headersSent) response.writeHead(403);
      response.end();
    }
  }

  /** Connects to the host of a URL. @throws when it may not or cannot be reached. */
  private async open(url: URL): Promise<Socket> {
    if (++this.opened > MAX_CONNECTIONS) throw new Error("Too many connections");
    const { hostname, port } = url;
    const standard = url.protocol === "https:" ? 443 : 80;
    const isOwn = hostname === this.own.hostname && (port || standard) === (this.own.port || standard);
    const socket = isOwn
      ? connect({ host: hostname.replace(/^\[|\]$/g, ""), port: Number(port) || standard })
      : await this.openChecked(url, Number(port) || standard);
    this.track(socket);
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
