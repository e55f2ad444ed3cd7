import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BUILT, PANELS, variablesOf } from "./built.ts";

const root = join(import.meta.dirname, "../..");
const runbooks = [...read("docs/runbooks/README.md").matchAll(/\]\(([a-z-]+\.md)\)/g)].map(
  ([, file]) => `docs/runbooks/${file}`,
);

test.for(["docs/deploy.md", "docs/follow-a-blocked-call.md"])(
  "addresses of dashboards in %s set variables that the dashboard has",
  (page) => {
    for (const [, uid, query = ""] of read(page).matchAll(/\/d\/([\w-]+)\?(\S+)/g)) {
      const dashboard = BUILT.find((one) => one.uid === uid);
      const known = dashboard === undefined ? [] : variablesOf(dashboard).map(({ name }) => `var-${name}`);
      expect({ uid, unknown: [...new URLSearchParams(query).keys()].filter((name) => !known.includes(name)) }).toEqual({
        uid,
        unknown: [],
      });
    }
  },
);

test.for(["docs/follow-a-blocked-call.md", ...runbooks])("panels that %s quotes are on a dashboard", (page) => {
  const quoted = [
    ...read(page)
      .replaceAll(/\s+/g, " ")
      .matchAll(/"([A-Z][^"]*)"/g),
  ].map(([, title]) => title ?? "");
  const titles = [
    ...PANELS.map(({ panel }) => panel.title),
    ...BUILT.flatMap(({ panels = [] }) => panels.map(({ title }) => title)),
  ];
  expect(quoted.filter((title) => !titles.includes(title))).toEqual([]);
});

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}
