/**
 * Writes src/api/schema.ts, the TypeScript types of src/api/schema.yaml.
 *
 * Every npm script that needs the types runs this first. They are not in git, and are written only
 * when the description has changed: the first line names the one they are from.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const source = new URL("src/api/schema.yaml", import.meta.url);
const target = new URL("src/api/schema.ts", import.meta.url);
const lock = new URL("../package-lock.json", import.meta.url);

const digest = createHash("sha256").update(readFileSync(source)).update(readFileSync(lock));
const mark = `// From schema.yaml, ${digest.digest("hex").slice(0, 16)}\n`;

if (!existsSync(target) || !readFileSync(target, "utf8").startsWith(mark)) {
  const { default: openapiTS, astToString } = await import("openapi-typescript");
  const types = astToString(await openapiTS(source));
  // In one step, because several scripts may do this at once.
  const unfinished = `${fileURLToPath(target)}.${process.pid}`;
  writeFileSync(unfinished, mark + types);
  renameSync(unfinished, target);
}
