import { existsSync } from "node:fs";
import { join } from "node:path";
import { RunError } from "./error.mjs";

/**
 * @typedef {{ readonly version: string, readonly execPath: string, readonly platform: string }} Host
 */

const MINIMUM = /** @type {const} */ ([22, 18]);
const BUNDLED = ["linux-x64", "linux-arm64"];

/** The Node this script runs on, and its platform. */
const HOST = {
  version: process.versions.node,
  execPath: process.execPath,
  platform: `${process.platform}-${process.arch}`,
};

/**
 * Throws RUN_NODE_UNSUPPORTED, before anything is installed, where neither the host's Node nor a bundled one will do.
 * @param {Host} host
 */
export function checkPlatform(host = HOST) {
  if (isNewEnough(host.version) || BUNDLED.includes(host.platform)) return;
  throw unsupported(host);
}

/**
 * The path of the Node to run tasks with: the host's own where it is new enough, else the one of tools/node.
 * @param {string} root
 * @param {Host} host
 */
export function pickNode(root, host = HOST) {
  if (isNewEnough(host.version)) return host.execPath;
  const bundled = join(root, `tools/node/node_modules/node-${host.platform}/bin/node`);
  if (!existsSync(bundled)) throw unsupported(host);
  return bundled;
}

/**
 * True where `version` ("24.1.0") is at least `engines.node` of package.json.
 * @param {string} version
 */
export function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > MINIMUM[0] || (major === MINIMUM[0] && minor >= MINIMUM[1]);
}

/** @param {Host} host */
function unsupported({ version, platform }) {
  return new RunError(
    "RUN_NODE_UNSUPPORTED",
    `Node ${version} is too old, and none is brought along for ${platform}. ` +
      `Install Node ${MINIMUM.join(".")} or newer and run this again.`,
  );
}
