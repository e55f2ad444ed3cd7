import type { JaegerTrace, Panel } from "./grafana.ts";

type Row = Readonly<Record<string, unknown>>;

/** A trace's frame, one row per span, times in milliseconds, through a panel's transformations. */
export function tableOf({ transformations = [] }: Panel, trace: JaegerTrace): readonly Row[] {
  const frame: readonly Row[] = trace.spans.map(({ operationName, startTime, duration, tags }) => ({
    traceID: trace.traceID,
    operationName,
    startTime: startTime / 1000,
    duration: duration / 1000,
    tags,
  }));
  return transformations.reduce((rows, { id, options }) => {
    const transform = TRANSFORMATIONS[id];
    if (transform === undefined) throw new Error(`the transformation ${id} is not known here`);
    return transform(rows, options);
  }, frame);
}

type Transform = (rows: readonly Row[], options: Readonly<Record<string, unknown>>) => readonly Row[];

const TRANSFORMATIONS: Readonly<Record<string, Transform>> = {
  convertFieldType(rows, options) {
    const { conversions } = options as { readonly conversions: readonly { readonly targetField: string }[] };
    return rows.map((row) => ({
      ...row,
      ...Object.fromEntries(conversions.map(({ targetField }) => [targetField, JSON.stringify(row[targetField])])),
    }));
  },
  extractFields(rows, options) {
    const { source, regExp } = options as { readonly source: string; readonly regExp: string };
    const pattern = new RegExp(regExp.slice(1, regExp.lastIndexOf("/")));
    return rows.map((row) => ({ ...row, ...pattern.exec(String(row[source]))?.groups }));
  },
  filterByValue(rows, options) {
    const { filters } = options as { readonly filters: readonly { readonly fieldName: string }[] };
    return rows.filter((row) => filters.every(({ fieldName }) => row[fieldName] !== undefined));
  },
  organize(rows, options) {
    const { excludeByName, renameByName } = options as {
      readonly excludeByName: Readonly<Record<string, boolean>>;
      readonly renameByName: Readonly<Record<string, string>>;
    };
    return rows.map((row) =>
      Object.fromEntries(
        Object.entries(row)
          .filter(([name]) => excludeByName[name] !== true)
          .map(([name, value]) => [renameByName[name] ?? name, value]),
      ),
    );
  },
};
