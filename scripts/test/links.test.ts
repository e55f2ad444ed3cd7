import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const pages = globSync("{*,docs/**/*,{bench,dashboards,e2e,examples}/*,packages/*/*}.md", { cwd: root });

test.for(pages.toSorted())("every link of %s leads to a file, and to a heading where it names one", (page) => {
  expect(brokenLinks(page, read(page))).toEqual([]);
});

test("a link to no file and one to no heading are broken, one to the web and one in code are not looked at", () => {
  const text = "[a](nowhere.md) [b](README.md#no-such-heading) [c](README.md) [d](https://example.org/#x) `[e](e.md)`";
  expect(brokenLinks("README.md", text)).toEqual(["nowhere.md", "README.md#no-such-heading"]);
});

function brokenLinks(page: string, text: string): readonly string[] {
  const links = [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link ?? "");
  return links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [path = "", anchor] = link.split("#");
    const target = path === "" ? page : join(dirname(page), path);
    if (!existsSync(join(root, target))) return true;
    return anchor !== undefined && !anchorsOf(target).includes(anchor);
  });
}

function read(page: string): string {
  return readFileSync(join(root, page), "utf8");
}

function withoutCode(text: string): string {
  return withoutBlocks(text).replaceAll(/`[^`\n]*`/g, "");
}

function withoutBlocks(text: string): string {
  return text.replaceAll(/^( *)(`{3,}).*?^\1\2$/gms, "");
}

/** As GitHub makes them: a heading that stands there again gets a number. */
function anchorsOf(page: string): readonly string[] {
  const seen = new Map<string, number>();
  return [...withoutBlocks(read(page)).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => {
    const text = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1");
    const anchor = text
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\s-]/gu, "")
      .replaceAll(" ", "-");
    const before = seen.get(anchor) ?? 0;
    seen.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  });
}
