import { prepareCompose } from "./backends/compose.ts";
import { prepareBackend } from "./backends/prepare.ts";
import { BACKENDS, backendOf, type BackendName } from "./backends/table.ts";

/** Builds every backend before the first test, one after another, and says how long each took. */
export async function setup(): Promise<void> {
  for (const name of wanted()) {
    const { report } = await prepareBackend(name);
    process.stdout.write(`${report}\n`);
  }
  if (process.env["HOOKSCOPE_E2E_BACKENDS"] === undefined) await prepareCompose();
}

/** HOOKSCOPE_E2E_BACKENDS=jaeger,collector builds these only; tests of others then build them when they start. */
function wanted(): readonly BackendName[] {
  const names = process.env["HOOKSCOPE_E2E_BACKENDS"]?.split(",").map((name) => name.trim());
  return (names ?? Object.keys(BACKENDS)).map((name) => backendOf(name).name);
}
