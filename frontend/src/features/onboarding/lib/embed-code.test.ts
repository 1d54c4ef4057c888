import { expect, test } from "vitest";
import { embedCode } from "./embed-code";

test("a name cannot break out of the code", () => {
  const code = embedCode("https://x.example.com/embed?a=1&b=2", 'Bob\'s "Best" <b>&</b>', 900);
  expect(code).toContain('title="Specials at Bob\'s &quot;Best&quot; &lt;b&gt;&amp;&lt;/b&gt;"');
  expect(code).toContain('src="https://x.example.com/embed?a=1&amp;b=2"');
  expect(code).toContain('height="900"');
});
