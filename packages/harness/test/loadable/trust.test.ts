import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { createWorkspaceTrust, HarnessError } from "../../src/index.ts";
import { workspace } from "./workspace.ts";

describe("workspace trust", () => {
  test("a workspace is trusted once it was said, also by another process, and no other is", async () => {
    const root = workspace({ "one/.keep": "", "two/.keep": "" });
    const path = join(root, "home", "trust.json");
    const trust = createWorkspaceTrust({ path });
    expect(await trust.isTrusted(join(root, "one"))).toBe(false);
    await trust.trust(join(root, "one"));
    await trust.trust(join(root, "one"));
    expect(await createWorkspaceTrust({ path }).isTrusted(join(root, "one"))).toBe(true);
    expect(await trust.isTrusted(join(root, "two"))).toBe(false);
    expect(await trust.isTrusted(join(root, "gone"))).toBe(false);
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({ version: 1, trusted: [join(root, "one")] });
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test("what is below a trusted directory is not trusted", async () => {
    const root = workspace({ "one/inner/.keep": "" });
    const trust = createWorkspaceTrust({ path: join(root, "trust.json") });
    await trust.trust(join(root, "one"));
    expect(await trust.isTrusted(join(root, "one/inner"))).toBe(false);
  });

  test("a link counts as what it leads to", async () => {
    const root = workspace({ "one/.keep": "" });
    symlinkSync(join(root, "one"), join(root, "link"));
    const trust = createWorkspaceTrust({ path: join(root, "trust.json") });
    await trust.trust(join(root, "link"));
    expect(await trust.isTrusted(join(root, "one"))).toBe(true);
  });

  test("two at once are both kept", async () => {
    const root = workspace({ "one/.keep": "", "two/.keep": "" });
    const path = join(root, "trust.json");
    const trust = createWorkspaceTrust({ path });
    await Promise.all([trust.trust(join(root, "one")), trust.trust(join(root, "two"))]);
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ trusted: [join(root, "one"), join(root, "two")] });
  });

  test.for([
    ["", "it is no JSON"],
    ["[1", "it is no JSON"],
    ["null", "its version is undefined, not 1"],
    ['{"version":2,"trusted":[]}', "its version is 2, not 1"],
    ['{"version":1,"trusted":{}}', '"trusted" is no list of paths'],
    ['{"version":1,"trusted":[1]}', '"trusted" is no list of paths'],
  ] as const)("a file that says %j is refused and left as it is", async ([content, problem]) => {
    const root = workspace({ "trust.json": content });
    const path = join(root, "trust.json");
    const trust = createWorkspaceTrust({ path });
    const error = new HarnessError(
      "TRUST_FILE_INVALID",
      `${path} cannot be read: ${problem}. No workspace is trusted until it is mended or removed.`,
    );
    await expect(trust.isTrusted(root)).rejects.toEqual(error);
    await expect(trust.trust(root)).rejects.toEqual(error);
    expect(readFileSync(path, "utf8")).toBe(content);
  });

  test("a directory in the file's place is said", async () => {
    const root = workspace();
    mkdirSync(join(root, "trust.json"));
    writeFileSync(join(root, "trust.json", "inside"), "");
    await expect(createWorkspaceTrust({ path: join(root, "trust.json") }).isTrusted(root)).rejects.toThrow(
      /^TRUST_FILE_INVALID: .*EISDIR/u,
    );
  });
});
