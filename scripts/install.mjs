import { createHash } from "node:crypto";
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
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
  writing(directory, () => mkdirSync(directory, { recursive: true }));
  await withLock(join(directory, ".hookscope-lock"), async () => {
    if (isInstalled(root)) return;
    process.stderr.write("Installing the dependencies (once, and after a change of pnpm-lock.yaml) ...\n");
    await runPnpm(root, join(directory, ".hookscope-install.log"));
    writeFileSync(stampOf(root), lockfileHash(root));
  });
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
  return readIfThere(stampOf(root)) === lockfileHash(root);
}

/**
 * @param {string} root
 * @param {string} log
 */
async function runPnpm(root, log) {
  const output = writing(log, () => openSync(log, "w"));
  const [command, ...prefix] = PNPM;
  const args = [...prefix, "install", "--frozen-lockfile", "--reporter=append-only"];
  const env = { ...WITHOUT_LONG_WAITS, ...process.env, ...COMPLETE_WITHOUT_QUESTIONS };
  let code;
  try {
    code = await run(command, args, { cwd: root, env, stdio: ["ignore", output, output] });
  } catch (error) {
    throw new RunError(
      "RUN_NPX_MISSING",
      `npx could not be started (${codeOf(error)}). Install npm and run this again.`,
    );
  } finally {
    closeSync(output);
  }
  if (code !== 0) throw installError(code, readFileSync(log, "utf8"), log);
}

/** @type {readonly (readonly [pattern: RegExp, code: string, what: string])[]} */
const CAUSES = [
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|ETIMEDOUT|_FETCH_FAIL|network request/i,
    "RUN_NO_NETWORK",
    "the package registry could not be reached. Check the network and the registry setting of npm, and run this again",
  ],
  [/ENOSPC/, "RUN_DISK_FULL", "the disk is full. Make room and run this again"],
  [/EACCES|EROFS|EPERM/, "RUN_DIRECTORY_UNWRITABLE", "a directory could not be written. See which, and its owner"],
  [
    /OUTDATED_LOCKFILE/,
    "RUN_LOCKFILE_OUTDATED",
    `pnpm-lock.yaml does not fit the package.json files. Run: ${PNPM.join(" ")} install`,
  ],
];

/**
 * What the output of a failed install means, as one line.
 * @param {number} exitCode
 * @param {string} output
 * @param {string} log where the output is
 */
export function installError(exitCode, output, log) {
  const [, code, what] = CAUSES.find(([pattern]) => pattern.test(output)) ?? [
    /./,
    "RUN_INSTALL_FAILED",
    `the install ended with exit code ${exitCode}`,
  ];
  return new RunError(code, `${what}. The full output is in ${log}`);
}

/**
 * @template T
 * @param {string} path
 * @param {() => T} write
 * @returns {T}
 */
function writing(path, write) {
  try {
    return write();
  } catch (error) {
    throw new RunError(
      "RUN_DIRECTORY_UNWRITABLE",
      `${path} cannot be written (${codeOf(error)}). Make it writable and run this again.`,
    );
  }
}

/** @param {string} root */
const stampOf = (root) => join(root, "node_modules/.hookscope-stamp");

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
