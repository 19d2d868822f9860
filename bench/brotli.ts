import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import { isCompressible } from '../src/storage/blob-variants/compressible.ts';
import { buildTwice, createStarter, readFiles, type WebApp } from './transfer/starter.ts';

/**
 * `npm run bench:brotli`: how small the qualities of Brotli make the text files of web apps, how long that takes, and
 * what memory. The apps are a public framework starter, which npm fetches, and Swagger UI with its source maps.
 * docs/performance.md has the figures. Linux only.
 */

const QUALITIES = [4, 5, 6, 7, 8, 9, 10, 11];
const CHUNK = 64 * 1024;

interface Result {
  readonly bytes: number;
  readonly ms: number;
  /** Resident memory at its peak, above what it was before. */
  readonly MiB: number;
}

async function compress(files: readonly Buffer[], quality: number | 'gzip'): Promise<Result> {
  await writeFile('/proc/self/clear_refs', '5');
  const before = await memory('VmRSS');
  const start = performance.now();
  let bytes = 0;
  for (const file of files) {
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_SIZE_HINT]: file.length,
    };
    const encoder =
      quality === 'gzip' ? createGzip() : createBrotliCompress({ params: params as Record<number, number> });
    await pipeline(Readable.from(chunksOf(file)), encoder, async (encoded: AsyncIterable<Buffer>) => {
      for await (const chunk of encoded) bytes += chunk.length;
    });
  }
  const ms = Math.round(performance.now() - start);
  return { bytes, ms, MiB: Math.max(0, (await memory('VmHWM')) - before) };
}

function* chunksOf(file: Buffer): Generator<Buffer> {
  for (let at = 0; at < file.length; at += CHUNK) yield file.subarray(at, at + CHUNK);
}

async function memory(field: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile('/proc/self/status', 'utf8');
  return Math.round(Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024);
}

async function measure(name: string, app: WebApp): Promise<void> {
  const texts = [...app].filter(([path, { length }]) =>
    isCompressible({ name: path, mimeType: '', sizeInBytes: length }),
  );
  const files = texts.map(([, content]) => content);
  const total = files.reduce((sum, { length }) => sum + length, 0);
  console.log(`${name}: ${files.length} text files, ${total} bytes`);
  const table: Record<string, object> = {};
  for (const quality of ['gzip', ...QUALITIES] as const) {
    const result = await compress(files, quality);
    const percent = Number(((100 * result.bytes) / total).toFixed(1));
    table[String(quality)] = { percent, 'ms per MB': Math.round(result.ms / (total / 1e6)), ...result };
  }
  console.table(table);
}

const folder = await mkdtemp(join(tmpdir(), 'slipway-bench-'));
try {
  await measure('Starter', (await buildTwice(await createStarter(folder), false)).first);
  const swaggerUi = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  await measure('Swagger UI', await readFiles(swaggerUi));
} finally {
  await rm(folder, { recursive: true, force: true });
}
