// Leaves `x.js.br` and `x.js.gz` beside each file of the built console that becomes smaller by it; the service sends
// them to browsers that understand them. Once per build, so as small as can be.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const TEXTS = /\.(html|js|css|json|svg|txt|webmanifest)$/;
const MADE = /\.(br|gz)$/;
/** Below that the headers outweigh what is saved. */
const MIN_BYTES = 512;

const folder = process.argv[2];
const names = readdirSync(folder, { recursive: true });
for (const name of names.filter((name) => MADE.test(name))) rmSync(join(folder, name));
for (const name of names.filter((name) => TEXTS.test(name))) compress(join(folder, name));

function compress(file) {
  const content = readFileSync(file);
  if (content.length < MIN_BYTES) return;
  const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length } };
  const forms = { br: brotliCompressSync(content, brotli), gz: gzipSync(content, { level: 9 }) };
  for (const [suffix, form] of Object.entries(forms)) {
    if (form.length < content.length) writeFileSync(`${file}.${suffix}`, form);
  }
}
