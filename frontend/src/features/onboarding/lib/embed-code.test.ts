import { expect, test } from "vitest";
import { embedCode } from "./embed-code";

test("the code is one script, and says only what the owner chose", () => {
  const address = "https://luigis.example.com/embed";
  expect(embedCode(address, "Luigi's", { theme: "", language: "" })).toBe(
    `<script async src="https://luigis.example.com/embed.js" data-title="Specials at Luigi's"></script>`,
  );
  expect(embedCode(address, "Luigi's", { theme: "dark", language: "es" })).toContain(
    'data-theme="dark" data-lang="es"',
  );
});

test("a name cannot break out of the code", () => {
  const name = 'Bob\'s "Best" </script><b>&</b>';
  const code = embedCode("https://x.example.com/embed?a=1&b=2", name, { theme: "", language: "" });
  expect(code).toContain(
    `data-title="Specials at Bob's &quot;Best&quot; &lt;/script&gt;&lt;b&gt;&amp;&lt;/b&gt;"`,
  );
  expect(code).toContain("a=1&amp;b=2");
});
