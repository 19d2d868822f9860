import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeAab } from '../../../../../test/support/native-builds/aab-writer.js';
import { hasJarSignature } from './collect-outputs.js';

let folder: string;
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'slipway-signature-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

it.each([
  ['a signed aab', () => makeAab({ signed: true }), true],
  ['an unsigned aab', () => makeAab(), false],
  ['what is no zip', () => Promise.resolve(Buffer.from('no zip')), false],
])('finds the signature of %s', async (name, make, expected) => {
  const path = join(folder, `${name}.aab`);
  await writeFile(path, await make());
  expect(await hasJarSignature(path)).toBe(expected);
});

it('finds none in a file that is not there', async () => {
  expect(await hasJarSignature(join(folder, 'nowhere.aab'))).toBe(false);
});
