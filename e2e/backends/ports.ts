import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";

/**
 * As many different free TCP ports on loopback as there are names. They are free when this returns: whoever
 * starts a program on them must be ready to try again with others.
 */
export async function freePorts<Name extends string>(names: readonly Name[]): Promise<Record<Name, number>> {
  const servers = names.map(() => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => once(server, "listening")));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), "close")));
  return Object.fromEntries(names.map((name, index) => [name, ports[index]])) as Record<Name, number>;
}
