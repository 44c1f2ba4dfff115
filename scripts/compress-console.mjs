// Writes `x.js.br` and `x.js.gz` next to each file of the built console that becomes smaller; the service sends them to
// browsers that accept the encoding. Runs once per build, so it uses the highest compression level.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const TEXT_FILES = /\.(html|js|css|json|svg|txt|webmanifest)$/;
const COMPRESSED_FILES = /\.(br|gz)$/;
/** Below this size compression does not pay off. */
const MIN_BYTES = 512;

const folder = process.argv[2];
const names = readdirSync(folder, { recursive: true });
for (const name of names.filter((name) => COMPRESSED_FILES.test(name))) rmSync(join(folder, name));
for (const name of names.filter((name) => TEXT_FILES.test(name))) compress(join(folder, name));

function compress(file) {
  const content = readFileSync(file);
  if (content.length < MIN_BYTES) return;
  const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length } };
  const variants = { br: brotliCompressSync(content, brotli), gz: gzipSync(content, { level: 9 }) };
  for (const [suffix, variant] of Object.entries(variants)) {
    if (variant.length < content.length) writeFileSync(`${file}.${suffix}`, variant);
  }
}
