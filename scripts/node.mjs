import { existsSync } from "node:fs";
import { join } from "node:path";
import { RunError } from "./error.mjs";

/**
 * @typedef {{ readonly version: string, readonly execPath: string, readonly system: string, readonly platform: string }} Host
 */

const MINIMUM = /** @type {const} */ ([22, 18]);
/** Those are for glibc. */
const BUNDLED = ["linux-x64", "linux-arm64"];

/** The Node this script runs on, and its platform: `linux-x64`, `linux-x64-musl`, `darwin-arm64`. */
const HOST = {
  version: process.versions.node,
  execPath: process.execPath,
  system: process.platform,
  /** Only where it is asked for: to look for the C library takes 20 ms. */
  get platform() {
    return `${process.platform}-${process.arch}${isMusl() ? "-musl" : ""}`;
  },
};

/**
 * Throws before anything is installed: RUN_PLATFORM_UNSUPPORTED on Windows, RUN_NODE_UNSUPPORTED where neither the host's
 * Node nor a bundled one will do.
 * @param {Host} host
 */
export function checkPlatform(host = HOST) {
  if (host.system === "win32") {
    throw new RunError(
      "RUN_PLATFORM_UNSUPPORTED",
      "these scripts need a POSIX system. On Windows, run them in WSL; the packages themselves can be installed from npm.",
    );
  }
  if (isNewEnough(host.version) || BUNDLED.includes(host.platform)) return;
  throw unsupported(host);
}

/** Alpine and its like, whose C library no bundled Node is made for. */
function isMusl() {
  if (process.platform !== "linux") return false;
  const { header } = /** @type {{ header: object }} */ (process.report.getReport());
  return !("glibcVersionRuntime" in header);
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
 * True where `version` ("24.1.0") is at least `engines.node` of package.json, and runs TypeScript: the first of Node 23 do
 * so only when asked to.
 * @param {string} version
 */
export function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major === 23 && minor < 6) return false;
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
