import { Ajv, type Schema } from "ajv";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { DATA_SOURCES, generatedFiles, PLACES } from "../src/index.ts";

/*
 * What Grafana 12 reads from provisioning files, as far as they are used here. A key it does not know is ignored by
 * Grafana without a word, and refused here.
 */
const DURATION: Schema = { type: "string", pattern: "^\\d+[smhd]$" };
const strict = (properties: Record<string, Schema>, optional: readonly string[] = []): Schema => ({
  type: "object",
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
});
const list = (items: Schema): Schema => ({ type: "array", minItems: 1, items });

const SCHEMAS: Readonly<Record<string, Schema>> = {
  "grafana/provisioning/datasources/hookscope.yaml": strict({
    apiVersion: { const: 1 },
    datasources: list(
      strict({
        name: { type: "string" },
        type: { enum: Object.values(DATA_SOURCES).map(({ type }) => type) },
        uid: { type: "string", pattern: "^[\\w-]{1,40}$" },
        access: { const: "proxy" },
        url: { type: "string", pattern: "^http://[a-z]+:\\d+$" },
        isDefault: { type: "boolean" },
        editable: { type: "boolean" },
        jsonData: strict(
          {
            httpMethod: { const: "POST" },
            prometheusType: { const: "Prometheus" },
            timeInterval: DURATION,
            exemplarTraceIdDestinations: list(
              strict(
                {
                  name: { const: "trace_id" },
                  datasourceUid: { const: DATA_SOURCES.jaeger.uid },
                  url: {
                    type: "string",
                    pattern: `^/d/${PLACES.timeline.uid}\\?var-traceID=\\$\\$\\{__value\\.raw\\}$`,
                  },
                  urlDisplayLabel: { type: "string" },
                },
                ["datasourceUid", "url"],
              ),
            ),
            nodeGraph: strict({ enabled: { type: "boolean" } }),
            traceIdTimeParams: strict({ enabled: { type: "boolean" } }),
            spanBar: strict({ type: { const: "Tag" }, tag: { type: "string" } }),
            implementation: { const: "prometheus" },
            handleGrafanaManagedAlerts: { type: "boolean" },
          },
          [
            "httpMethod",
            "prometheusType",
            "timeInterval",
            "exemplarTraceIdDestinations",
            "nodeGraph",
            "traceIdTimeParams",
            "spanBar",
            "implementation",
            "handleGrafanaManagedAlerts",
          ],
        ),
      }),
    ),
  }),
  "grafana/provisioning/dashboards/hookscope.yaml": strict({
    apiVersion: { const: 1 },
    providers: list(
      strict({
        name: { type: "string" },
        orgId: { type: "integer" },
        folder: { type: "string" },
        type: { const: "file" },
        disableDeletion: { type: "boolean" },
        updateIntervalSeconds: { type: "integer", minimum: 1 },
        allowUiUpdates: { type: "boolean" },
        options: strict({ path: { type: "string", pattern: "^/" }, foldersFromFilesStructure: { type: "boolean" } }),
      }),
    ),
  }),
  "grafana/provisioning/alerting/hookscope.yaml": strict({
    apiVersion: { const: 1 },
    groups: list(
      strict({
        orgId: { type: "integer" },
        name: { type: "string" },
        folder: { type: "string" },
        interval: DURATION,
        rules: list(
          strict(
            {
              uid: { type: "string" },
              title: { type: "string" },
              condition: { type: "string" },
              data: list(
                strict({
                  refId: { type: "string", pattern: "^[A-Z]$" },
                  relativeTimeRange: strict({ from: { type: "integer" }, to: { const: 0 } }),
                  datasourceUid: { enum: [DATA_SOURCES.prometheus.uid, "__expr__"] },
                  model: { type: "object", properties: { refId: { type: "string" } }, required: ["refId"] },
                }),
              ),
              for: DURATION,
              keepFiringFor: DURATION,
              noDataState: { enum: ["OK", "NoData", "Alerting", "KeepLast"] },
              execErrState: { enum: ["OK", "Error", "Alerting", "KeepLast"] },
              labels: { type: "object", additionalProperties: { type: "string" } },
              annotations: { type: "object", additionalProperties: { type: "string", not: { pattern: "\\$[^{]" } } },
              isPaused: { type: "boolean" },
            },
            ["keepFiringFor"],
          ),
        ),
      }),
    ),
  }),
};

test.for(Object.entries(SCHEMAS))("%s is what Grafana reads", ([path, schema]) => {
  const ajv = new Ajv({ allErrors: true, strict: true });
  expect(ajv.validate(schema, parse(generatedFiles()[path] ?? "")) ? [] : ajv.errors).toEqual([]);
});

test("a key that Grafana does not know is refused", () => {
  const path = "grafana/provisioning/dashboards/hookscope.yaml";
  const provider = parse(generatedFiles()[path] ?? "") as object;
  expect(new Ajv().validate(SCHEMAS[path] ?? false, { ...provider, orgID: 1 })).toBe(false);
});

test("every provisioning file has a schema", () => {
  const provisioning = Object.keys(generatedFiles()).filter((path) => path.startsWith("grafana/provisioning/"));
  expect(Object.keys(SCHEMAS)).toEqual(provisioning);
});
