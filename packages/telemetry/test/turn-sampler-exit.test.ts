import { fork } from "node:child_process";
import { once } from "node:events";

import { expect, test } from "vitest";

import { OtlpSink, valuesOf } from "./support/otlp-sink.ts";

test.for([
  ["a natural end", "end", "exit"],
  ["SIGTERM", "wait", "signal"],
] as const)("%s keeps the turn that was open, whole, and not the one that had ended", async ([, way, endedBy]) => {
  await using sink = await OtlpSink.start();
  const child = fork(new URL("./fixtures/exit-sampled.ts", import.meta.url), [way], {
    execArgv: ["--conditions=@hookscope/source", "--no-warnings"],
    env: { PATH: process.env["PATH"] ?? "", OTEL_EXPORTER_OTLP_ENDPOINT: sink.endpoint },
  });
  const ended = once(child, "exit");
  await once(child, "message");
  if (way === "wait") child.kill("SIGTERM");
  await ended;
  expect(sink.accepted.map(({ name, attributes }) => [name, valuesOf(attributes)["hookscope.ended_by"]])).toEqual([
    ["in open", undefined],
    ["invoke_agent open", endedBy],
  ]);
});
