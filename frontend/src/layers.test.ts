import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";

const source = resolve(process.cwd(), "frontend/src");

function imports(file: string): string[] {
  const text = readFileSync(file, "utf8");
  return [...text.matchAll(/(?:from|import)\s+"([^"]+)"/g)].flatMap(([, target = ""]) => {
    if (target.startsWith("@/")) return [target.slice(2)];
    if (target.startsWith(".")) return [relative(source, join(dirname(file), target))];
    return [];
  });
}

const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter(
  (file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file),
);

test.each(files)("%s imports only from its own layer downwards", (file) => {
  const [layer, feature] = file.split("/");
  const forbidden = imports(join(source, file)).filter((target) => {
    const [targetLayer, targetFeature] = target.split("/");
    if (layer === "pages") return targetLayer === "pages";
    if (layer === "app") return targetLayer === "pages";
    if (layer === "features") {
      const higher = targetLayer === "pages" || targetLayer === "app";
      return higher || (targetLayer === "features" && targetFeature !== feature);
    }
    return ["pages", "app", "features"].includes(targetLayer ?? "");
  });
  expect(forbidden).toEqual([]);
});
