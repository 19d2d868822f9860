import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Instance, withInstance } from './instance.ts';
import { memory, resetPeak, time } from './measure.ts';
import { Client } from './uploads/client.ts';
import { content, MIB, zipped } from './uploads/content.ts';
import { PART, Scenarios } from './uploads/scenarios.ts';

/**
 * `npm run bench:uploads`: how much memory the server takes while files stream through it, and how long that takes
 * compared with a plain copy of the same bytes by Node. docs/performance.md has the figures. Linux only.
 */

const UPLOADS = 100;

/** Resident memory, in MiB, that the server must stay below. */
const LIMIT = 300;

/** Seconds that Node takes to copy as many bytes from a file to another, hashing them, flushed at the end. */
async function copy(folder: string, bytes: number): Promise<number> {
  const source = join(folder, 'source');
  const target = join(folder, 'target');
  await pipeline(Readable.from(content(bytes, 0).chunks(), { objectMode: false }), createWriteStream(source));
  const hash = createHash('sha256');
  async function* hashed(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      hash.update(chunk);
      yield chunk;
    }
  }
  const seconds = await time(() =>
    pipeline(createReadStream(source), hashed, createWriteStream(target, { flush: true })),
  );
  await rm(source);
  await rm(target);
  return seconds;
}

async function measure({ server, origin, token, folder }: Instance): Promise<void> {
  const client = new Client(origin, token);
  const pid = server.process.pid ?? 0;
  const scenarios = new Scenarios(client);
  await scenarios.prepare();
  const results: object[] = [];
  let worst = 0;
  const report = async (what: string, bytes: number, work: () => Promise<unknown>): Promise<void> => {
    const copySeconds = await copy(folder, bytes);
    await resetPeak(pid);
    const before = await memory(pid, 'VmRSS');
    const seconds = await time(work);
    const peak = await memory(pid, 'VmHWM');
    worst = Math.max(worst, peak);
    results.push({
      what,
      'MB/s': Math.round(bytes / 1e6 / seconds),
      'times a copy': Number((seconds / copySeconds).toFixed(1)),
      'MiB before': before,
      'MiB peak': peak,
    });
    console.log(`${what}: ${seconds.toFixed(1)} s, peak ${peak} MiB`);
  };

  const small = Array.from({ length: UPLOADS }, (_, i) => content(PART - 1, i));
  await report(`${UPLOADS} files of 10 MB at once`, UPLOADS * PART, () => scenarios.files(small));
  const larger = Array.from({ length: UPLOADS / 4 }, (_, i) => content(4 * PART, UPLOADS + i));
  await report(`${UPLOADS} parts of 10 MB at once`, UPLOADS * PART, () => scenarios.filesInParts(larger));
  await rm(join(folder, 'storage/objects/blobs'), { recursive: true });
  const huge = zipped(content(1000 * MIB, 1000));
  await report('1 GB in parts, 4 at once', huge.size, () => scenarios.zip(huge));
  await rm(join(folder, 'storage/objects/blobs'), { recursive: true });
  const large = zipped(content(500_000_000, 1001));
  const path = await scenarios.zip(large);
  await report('download of 500 MB', large.size, async () => {
    if ((await client.download(path)) !== large.sha256) throw new Error('The download differs.');
  });
  console.table(results);
  console.log(`At most ${worst} MiB of resident memory; the limit is ${LIMIT} MiB.`);
  if (worst > LIMIT) process.exitCode = 1;
}

await withInstance(measure);
