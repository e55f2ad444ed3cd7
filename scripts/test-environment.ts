import { realpathSync } from "node:fs";
import { tmpdir } from "node:os";

/**
 * What a shell or a machine may set, and what the programs under test would follow: where telemetry goes, keys and
 * addresses of models, proxies, folders of the user's, the terminal.
 */
const FOLLOWED: readonly RegExp[] = [
  /^(OTEL|HOOKSCOPE|ANTHROPIC|OPENAI|XDG)_/,
  /^(HTTP|HTTPS|ALL|NO)_PROXY$/i,
  /^(NODE_USE_ENV_PROXY|TRACEPARENT|FORCE_COLOR|NO_COLOR|COLUMNS|TERM)$/,
];

/**
 * Takes them away, so that a test sees of them what it sets itself, whoever runs it and where. The folder for temporary
 * files is named without links: programs tell the real paths of what is in it.
 */
export function settleEnvironment(environment: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(environment)) {
    if (FOLLOWED.some((pattern) => pattern.test(name))) delete environment[name];
  }
  environment["TMPDIR"] = realpathSync(environment["TMPDIR"] ?? tmpdir());
}
