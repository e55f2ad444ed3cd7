import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

import { MetricsError } from "../errors.ts";

/**
 * What fails later, a connection that cannot be taken for want of files for one, is told to `failed`: unheard it would end
 * the process.
 *
 * @throws MetricsError METRICS_PORT_IN_USE, METRICS_LISTEN_FAILED
 */
export async function listen(
  server: Server,
  host: string,
  port: number,
  failed: (error: Error) => void,
): Promise<AddressInfo> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen({ host, port, exclusive: true }, () => {
        server.off("error", reject);
        resolve();
      });
    });
  } catch (error) {
    throw describe(error, host, port);
  }
  server.on("error", failed);
  return server.address() as AddressInfo;
}

function describe(error: unknown, host: string, port: number): MetricsError {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE") {
    return new MetricsError(
      "METRICS_PORT_IN_USE",
      `port ${port} of ${host} is in use, so metrics cannot be served there. Choose another port, or stop what uses it.`,
      { cause: error },
    );
  }
  return new MetricsError("METRICS_LISTEN_FAILED", `metrics cannot be served on ${host} port ${port}: ${message}.`, {
    cause: error,
  });
}
