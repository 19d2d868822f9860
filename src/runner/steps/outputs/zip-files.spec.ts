import { randomBytes } from 'node:crypto';
import { statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { queryObjects } from 'node:v8';
import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';
import { temporaryFolder } from '../../../../test/support/processes/temporary-folders.js';
import { zipFiles } from './zip-files.js';

const never = new AbortController().signal;
const LARGE = 20 * 1024 ** 2;

let folder: string;
let target: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  target = join(folder, 'files.zip');
});

function makeFile(name: string, content: Buffer) {
  const path = join(folder, name);
  writeFileSync(path, content);
  return { name, path, size: content.length };
}

function makeFiles(count: number) {
  return Array.from({ length: count }, (_, index) =>
    makeFile(`file-${index}`, Buffer.from(`content ${index}`)),
  );
}

/** How many array buffers live, after a collection of garbage. */
const countBuffers = (): number => queryObjects(ArrayBuffer, { format: 'count' });

it('packs files in their order, and keeps no buffers of those that it has packed', async () => {
  const files = [...makeFiles(600), makeFile('large', randomBytes(LARGE))];
  const before = countBuffers();
  let whileLast = Infinity;
  const timer = setInterval(() => {
    const { size } = statSync(target, { throwIfNoEntry: false }) ?? { size: 0 };
    if (size < LARGE / 10 || whileLast !== Infinity) return;
    whileLast = countBuffers() - before;
  }, 2);
  await zipFiles(files, target, never);
  clearInterval(timer);
  expect(whileLast).toBeLessThan(100);

  const zip = await fromBufferPromise(await readFile(target));
  const found: [string, number][] = [];
  for await (const entry of zip.eachEntry()) found.push([entry.fileName, entry.uncompressedSize]);
  expect(found).toEqual(files.map(({ name, size }) => [name, size]));
});

it('has the content of each file', async () => {
  await zipFiles(makeFiles(3), target, never);
  const zip = await fromBufferPromise(await readFile(target));
  const texts: string[] = [];
  for await (const entry of zip.eachEntry()) {
    texts.push((await buffer(await zip.openReadStreamPromise(entry))).toString());
  }
  expect(texts).toEqual(['content 0', 'content 1', 'content 2']);
});

it('fails if a file has another size by now, or does not exist', async () => {
  const [first, second] = makeFiles(2);
  const changed = [first!, { ...second!, size: 3 }];
  await expect(zipFiles(changed, target, never)).rejects.toThrow('A file of the output changed');
  const missing = [{ ...first!, path: join(folder, 'missing') }];
  await expect(zipFiles(missing, join(folder, 'other.zip'), never)).rejects.toThrow('ENOENT');
});

it('ends with its signal', async () => {
  const controller = new AbortController();
  const packing = zipFiles([makeFile('large', randomBytes(LARGE))], target, controller.signal);
  const reason = new Error('The job was canceled.');
  setTimeout(() => controller.abort(reason), 20);
  await expect(packing).rejects.toBe(reason);
  await expect(zipFiles([], join(folder, 'other.zip'), controller.signal)).rejects.toBe(reason);
});
