import type { GridPos } from "@grafana/grafana-foundation-sdk/dashboard";
import { describe, expect, test } from "vitest";
import { DATA_SOURCES, PLACES } from "../src/index.ts";
import { BUILT, everyPanel, linksOf, PANELS, targetsOf, variablesOf } from "./built.ts";

const UIDS = Object.values(PLACES).map(({ uid }) => uid);
/** `$name` and `${name…}`, but for Grafana's own. */
const VARIABLE = /\$\{?(?!__)([A-Za-z]\w*)/g;

test("there are the five dashboards, in the order of the menu", () => {
  expect(BUILT.map(({ uid, title }) => ({ uid, title }))).toEqual(Object.values(PLACES));
});

describe.each(BUILT.map((dashboard) => [dashboard.title, dashboard] as const))("%s", (_, dashboard) => {
  const panels = everyPanel(dashboard);

  test("no two panels overlap, and none leaves the 24 columns", () => {
    const places = panels.map(({ title, gridPos }) => ({ title, ...(gridPos as GridPos) }));
    const overlaps = places.flatMap((one, index) =>
      places.slice(index + 1).flatMap((other) => (overlap(one, other) ? [`${one.title} and ${other.title}`] : [])),
    );
    expect({ overlaps, outside: places.filter(({ x, w }) => x < 0 || x + w > 24) }).toEqual({
      overlaps: [],
      outside: [],
    });
  });

  test("ids are numbered, titles are different", () => {
    expect(panels.map(({ id }) => id)).toEqual(panels.map((_panel, index) => index + 1));
    expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
  });

  test("every variable that is used is defined, and every one that is defined is used", () => {
    const own = PANELS.filter(({ dashboard: uid }) => uid === dashboard.uid).map(({ panel }) => panel);
    const queries = own.flatMap((panel) => [
      ...targetsOf(panel).flatMap(({ expr, query, service, tags }) => [expr, query, service, tags]),
      ...linksOf(panel).map(({ url }) => url),
    ]);
    const variables = variablesOf(dashboard);
    const used = [...queries, ...variables.map(({ query }) => JSON.stringify(query))].flatMap((text) =>
      [...(text ?? "").matchAll(VARIABLE)].map(([, name]) => name ?? ""),
    );
    expect([...new Set(used)].toSorted()).toEqual(variables.map(({ name }) => name).toSorted());
  });

  test("variables read from data sources that are provisioned", () => {
    const read = variablesOf(dashboard).flatMap(({ datasource }) => (datasource?.uid ? [datasource.uid] : []));
    expect([...new Set(read)]).toEqual([DATA_SOURCES.prometheus.uid]);
  });
});

describe.each(PANELS.map(({ dashboard, panel }) => [`${dashboard}: ${panel.title}`, panel] as const))(
  "%s",
  (_, panel) => {
    test("says what it shows, what to do, and where to look next", () => {
      expect(panel.description).toMatch(/^[A-Z1].*[.]\n\nWhen it looks bad: .*[.]$/s);
      expect(linksOf(panel).map(({ url }) => UIDS.includes(/^\/d\/([\w-]+)\?/.exec(url)?.[1] ?? ""))).toEqual(
        linksOf(panel).map(() => true),
      );
      expect(panel.links?.length).toBeGreaterThan(0);
    });

    test("its data sources are provisioned, and it asks something", () => {
      const provisioned = Object.values(DATA_SOURCES).map(({ type, uid }) => ({ type, uid }));
      const asked = [panel.datasource, ...targetsOf(panel).map(({ datasource }) => datasource)];
      expect(asked.length).toBeGreaterThan(1);
      for (const datasource of asked) expect(provisioned).toContainEqual(datasource);
    });

    test("numbers have a unit", () => {
      const { defaults, overrides } = panel.fieldConfig ?? { defaults: {}, overrides: [] };
      const units = [
        defaults.unit,
        (panel.options as { readonly yAxis?: { readonly unit?: string } } | undefined)?.yAxis?.unit,
        ...overrides.flatMap(({ properties }) =>
          properties.filter(({ id }) => id === "unit").map(({ value }) => value as string),
        ),
      ];
      const fromJaeger = panel.datasource?.type === "jaeger" && panel.title !== "Hook invocations";
      // Grafana gives the columns of a search and a waterfall their units itself.
      expect(units.some((unit) => typeof unit === "string" && unit !== "")).toBe(!fromJaeger);
    });
  },
);

function overlap(one: GridPos, other: GridPos): boolean {
  return one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h;
}
