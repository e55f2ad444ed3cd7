import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startInstance } from "../backends/instance.ts";
import { poll } from "../backends/poll.ts";

const config = join(import.meta.dirname, "fixtures/alertmanager.yml");

test("a port that somebody took in the meantime is replaced by another", async () => {
  const somebody = createServer().listen(0, "127.0.0.1");
  await once(somebody, "listening");
  const taken = (somebody.address() as AddressInfo).port;
  const tried: number[] = [];

  const instance = await startInstance({
    backend: "alertmanager",
    ports: ["http"],
    invocation: async ({ http }, directory) => {
      const port = tried.length === 0 ? taken : http;
      tried.push(port);
      return invocation(port, directory);
    },
  });
  await instance.stop();
  somebody.close();

  expect(tried).toEqual([taken, instance.ports.http]);
});

test("stopping ends the program and removes what it wrote; a second time changes nothing", async () => {
  let directory = "";
  const instance = await startInstance({
    backend: "alertmanager",
    ports: ["http"],
    invocation: async ({ http }, own) => invocation(http, (directory = own)),
  });
  const url = `http://127.0.0.1:${instance.ports.http}/-/ready`;
  expect([(await fetch(url)).status, existsSync(instance.logFile), existsSync(directory)]).toEqual([200, true, true]);

  await instance.stop();
  await instance.stop();

  await expect(fetch(url)).rejects.toThrow("fetch failed");
  expect([existsSync(instance.logFile), existsSync(directory)]).toEqual([false, false]);
});

test("a backend ends when whoever started it is killed", async () => {
  const owner = spawn(process.execPath, [join(import.meta.dirname, "fixtures/owner.ts"), config], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = `${(await once(owner.stdout, "data")).toString().trim()}/-/ready`;
  expect((await fetch(url)).status).toBe(200);

  owner.kill("SIGKILL");

  const answer = await poll(
    async () =>
      fetch(url).then(
        () => undefined,
        () => "gone",
      ),
    { onTimeout: () => new Error(`${url} still answers`) },
  );
  expect(answer).toBe("gone");
});

function invocation(port: number, directory: string) {
  return {
    args: [
      `--config.file=${config}`,
      `--storage.path=${join(directory, "data")}`,
      `--web.listen-address=127.0.0.1:${port}`,
      "--cluster.listen-address=",
    ],
    readyUrl: `http://127.0.0.1:${port}/-/ready`,
  };
}
