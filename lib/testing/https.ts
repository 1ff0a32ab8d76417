import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import path from "node:path";

const read = (name: string) => readFileSync(path.join(import.meta.dirname, "certificates", name), "utf8");

/** The certificate authority of the test servers (PEM). */
export const testAuthority = (): string => read("ca.pem");

export interface HttpsServer {
  port: number;
  /** The number of connections, with and without requests. */
  connections(): number;
  /** The requested paths in order. */
  requestedPaths: string[];
  stop(): Promise<void>;
}

/**
 * Starts an HTTPS server on a loopback address for `*.proof.example`.
 *
 * @param options.certificate a file of `certificates/`; a valid one by default.
 */
export async function startHttps(
  answer: RequestListener,
  { certificate = "proof", host = "127.0.0.1", port = 0 } = {},
): Promise<HttpsServer> {
  const requestedPaths: string[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer({ key: read("leaf.key"), cert: read(`${certificate}.pem`) }, (request, response) => {
    requestedPaths.push(request.url ?? "");
    answer(request, response);
  }).listen(port, host);
  server.on("connection", (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.on("error", () => {});
  });
  // A client that rejects the certificate closes the connection during the handshake.
  server.on("tlsClientError", () => {});
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    requestedPaths,
    async stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}
