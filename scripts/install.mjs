import { createHash } from "node:crypto";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./child.mjs";
import { RunError, codeOf } from "./error.mjs";
import { withLock } from "./lock.mjs";
import { PNPM } from "./tasks.mjs";

/**
 * Installs the dependencies of the workspace at `root`, unless node_modules already fits pnpm-lock.yaml.
 * @param {string} root
 */
export async function install(root) {
  if (isInstalled(root)) return;
  const directory = join(root, "node_modules");
  try {
    mkdirSync(directory, { recursive: true });
    await withLock(join(directory, ".hookscope-lock"), tell, () => installInto(root, directory));
  } catch (error) {
    throw error instanceof RunError ? error : unwritable(error, directory);
  }
}

/**
 * @param {string} root
 * @param {string} directory
 */
async function installInto(root, directory) {
  if (isInstalled(root)) return;
  tell("Installing the dependencies (once, and after a change of pnpm-lock.yaml) ...");
  // An install that is cut off leaves neither the old dependencies nor the new ones.
  rmSync(stampOf(root), { force: true });
  await runPnpm(root, join(directory, ".hookscope-install.log"));
  writeFileSync(stampOf(root), stamp(root));
}

/** @param {string} text */
function tell(text) {
  process.stderr.write(`${text}\n`);
}

/** Without a terminal pnpm must not ask, and production would leave out what the tasks need. */
const COMPLETE_WITHOUT_QUESTIONS = { CI: "true", NODE_ENV: "development" };

/** By default a machine without network is told so after a minute. */
const WITHOUT_LONG_WAITS = {
  npm_config_prefer_offline: "true",
  npm_config_fetch_retry_mintimeout: "1000",
  npm_config_fetch_retry_maxtimeout: "4000",
  pnpm_config_fetch_retry_mintimeout: "1000",
  pnpm_config_fetch_retry_maxtimeout: "4000",
};

/** @param {string} root */
function isInstalled(root) {
  return readIfThere(stampOf(root)) === stamp(root) && packagesOf(root).every(hasDependencies);
}

/**
 * The folders of the packages. Whoever cleans them takes their dependencies, and leaves the stamp.
 * @param {string} root
 */
function packagesOf(root) {
  const folder = join(root, "packages");
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}

/** @param {string} folder */
function hasDependencies(folder) {
  return existsSync(join(folder, "node_modules")) || !existsSync(join(folder, "package.json"));
}

/**
 * @param {string} root
 * @param {string} log
 */
async function runPnpm(root, log) {
  const output = openSync(log, "w");
  const [command, ...prefix] = PNPM;
  const args = [...prefix, "install", "--frozen-lockfile", "--reporter=append-only"];
  const env = { ...WITHOUT_LONG_WAITS, ...process.env, ...COMPLETE_WITHOUT_QUESTIONS };
  let code;
  try {
    code = await run(command, args, { cwd: root, env, stdio: ["ignore", output, output] });
  } catch (error) {
    if (codeOf(error) !== "RUN_COMMAND_MISSING") throw error;
    throw new RunError("RUN_NPX_MISSING", "npx could not be started. Install npm and run this again.");
  } finally {
    closeSync(output);
  }
  if (code !== 0) throw installError(code, readFileSync(log, "utf8"), log);
}

/**
 * The first that fits is told: an install that runs out of room has tried the network again, too.
 * @type {readonly (readonly [pattern: RegExp, code: string, what: string])[]}
 */
const CAUSES = [
  [/ENOSPC/, "RUN_DISK_FULL", "the disk is full. Make room and run this again"],
  [/EACCES|EROFS|EPERM/, "RUN_DIRECTORY_UNWRITABLE", "a directory could not be written. See which, and its owner"],
  [
    /OUTDATED_LOCKFILE/,
    "RUN_LOCKFILE_OUTDATED",
    `pnpm-lock.yaml does not fit the package.json files. Run: ${PNPM.join(" ")} install`,
  ],
  [
    /SELF_SIGNED_CERT|UNABLE_TO_(?:VERIFY|GET)|CERT_(?:UNTRUSTED|HAS_EXPIRED)|invalid peer certificate/i,
    "RUN_CERTIFICATE_UNKNOWN",
    "the certificate of the package registry, or of a proxy before it, is not known here. " +
      "Name the file of its issuer in NODE_EXTRA_CA_CERTS and in the setting cafile of npm, and run this again",
  ],
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|ETIMEDOUT|_FETCH_FAIL|network request/i,
    "RUN_NO_NETWORK",
    "the package registry could not be reached. Check the network and the registry setting of npm, and run this again",
  ],
];

/**
 * What the output of a failed install means, as one line.
 * @param {number} exitCode
 * @param {string} output
 * @param {string} log where the output is
 */
export function installError(exitCode, output, log) {
  if (exitCode > 128) return new RunError("RUN_INTERRUPTED", "the install was interrupted. Run this again");
  const [, code, what] = CAUSES.find(([pattern]) => pattern.test(output)) ?? [
    /./,
    "RUN_INSTALL_FAILED",
    `the install ended with exit code ${exitCode}`,
  ];
  return new RunError(code, `${what}. The full output is in ${log}`);
}

/**
 * @param {unknown} error
 * @param {string} directory
 */
function unwritable(error, directory) {
  const code = codeOf(error);
  if (code === "ENOSPC") return new RunError("RUN_DISK_FULL", "the disk is full. Make room and run this again.");
  if (!["EACCES", "EPERM", "EROFS", "EEXIST", "ENOTDIR"].includes(code ?? "")) return error;
  return new RunError(
    "RUN_DIRECTORY_UNWRITABLE",
    `${directory} cannot be written (${code}). Make it writable and run this again.`,
  );
}

/** @param {string} root */
const stampOf = (root) => join(root, "node_modules/.hookscope-stamp");

/**
 * What is installed: dependencies have programs of one platform, and a folder may be shared with a container.
 * @param {string} root
 */
function stamp(root) {
  return `${lockfileHash(root)} ${process.platform}-${process.arch}`;
}

/** @param {string} root */
function lockfileHash(root) {
  const content = readIfThere(join(root, "pnpm-lock.yaml"));
  if (content === undefined) {
    throw new RunError(
      "RUN_LOCKFILE_MISSING",
      `${join(root, "pnpm-lock.yaml")} is missing. Restore it from the repository.`,
    );
  }
  return createHash("sha256").update(content).digest("hex");
}

/** @param {string} path */
function readIfThere(path) {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "")) return undefined;
    throw error;
  }
}
