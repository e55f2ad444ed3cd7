// Prepares the backends named on the command line, all of them without a name: `node e2e/backends/build.ts jaeger`.
import { BackendError } from "./error.ts";
import { prepareBackend } from "./prepare.ts";
import { BACKENDS, backendOf } from "./table.ts";

try {
  const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(BACKENDS);
  for (const { name } of names.map(backendOf)) {
    process.stdout.write(`${(await prepareBackend(name)).report}\n`);
  }
} catch (error) {
  if (!(error instanceof BackendError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
