import fc from "fast-check";
import { expect, test } from "vitest";

import { OutputWindow } from "../../src/tools/output-window.ts";

function windowOf(maxBytes: number, ...chunks: readonly (string | Buffer)[]): OutputWindow {
  const window = new OutputWindow(maxBytes);
  for (const chunk of chunks) window.push(Buffer.from(chunk));
  return window;
}

test("what fits is given as it is, also a character that came in two pieces", () => {
  const bytes = Buffer.from("grün");
  expect(windowOf(10, bytes.subarray(0, 3), bytes.subarray(3)).text()).toBe("grün");
  expect(windowOf(4, "ab", "cd").text()).toBe("abcd");
});

test("what does not fit keeps both ends and counts what is left out", () => {
  expect(windowOf(4, "abcdefgh").text()).toBe("ab\n[… 4 bytes left out …]\ngh");
  expect(windowOf(4, "abc", "def", "g", "h").text()).toBe("ab\n[… 4 bytes left out …]\ngh");
});

test("a cut within a character drops what is left of it", () => {
  expect(windowOf(6, "ää", "ää", "ää", "ää").text()).toBe("ä\n[… 10 bytes left out …]\nä");
  expect(windowOf(6, "ab").lastText(1)).toBe("b");
  expect(windowOf(6, "ää").lastText(3)).toBe("ä");
});

test("in whatever pieces it comes, the ends are the output's", () => {
  const chunk = fc.string({ unit: fc.constantFrom("a", "b", "c", "d", "e"), maxLength: 40 });
  fc.assert(
    fc.property(fc.array(chunk, { maxLength: 20 }), fc.integer({ min: 2, max: 50 }), (chunks, maxBytes) => {
      const all = chunks.join("");
      const head = Math.ceil(maxBytes / 2);
      const tail = Math.floor(maxBytes / 2);
      const omitted = all.length - head - tail;
      const expected =
        omitted <= 0 ? all : `${all.slice(0, head)}\n[… ${omitted} bytes left out …]\n${all.slice(-tail)}`;
      const window = windowOf(maxBytes, ...chunks);
      expect(window.text()).toBe(expected);
      expect(window.size).toBe(all.length);
    }),
  );
});
