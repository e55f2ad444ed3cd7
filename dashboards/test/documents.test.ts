import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { BUILT, PANELS, variablesOf } from "./built.ts";

const root = join(import.meta.dirname, "../..");
const PAGES = ["docs/deploy.md", "docs/follow-a-blocked-call.md", "docs/runbooks/README.md", "dashboards/README.md"];
const runbooks = [...read("docs/runbooks/README.md").matchAll(/\]\(([a-z-]+\.md)\)/g)].map(
  ([, file]) => `docs/runbooks/${file}`,
);

test.for([...PAGES, ...runbooks])("every link of %s leads somewhere", (page) => {
  const links = [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link ?? "");
  const missing = links.filter((link) => {
    const [path = "", anchor] = link.split("#");
    const target = path === "" ? page : join(dirname(page), path);
    return !existsSync(join(root, target)) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
  });
  expect(missing).toEqual([]);
});

test.for(PAGES.slice(0, 2))("addresses of dashboards in %s set variables that the dashboard has", (page) => {
  for (const [, uid, query = ""] of read(page).matchAll(/\/d\/([\w-]+)\?(\S+)/g)) {
    const dashboard = BUILT.find((one) => one.uid === uid);
    const known = dashboard === undefined ? [] : variablesOf(dashboard).map(({ name }) => `var-${name}`);
    expect({ uid, unknown: [...new URLSearchParams(query).keys()].filter((name) => !known.includes(name)) }).toEqual({
      uid,
      unknown: [],
    });
  }
});

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

function anchorsOf(path: string): readonly string[] {
  return [...read(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, "")
      .replaceAll(" ", "-"),
  );
}
