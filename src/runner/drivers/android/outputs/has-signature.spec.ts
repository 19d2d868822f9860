import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeAab } from '../../../../../test/support/native-builds/aab-writer.js';
import { withSigningBlock } from '../../../../../test/support/native-builds/android/signing-block.js';
import { hasSignature } from './has-signature.js';

let folder: string;
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'slipway-signature-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

it.each<[string, () => Promise<Buffer>, boolean]>([
  ['a signed aab', () => makeAab({ signed: true }), true],
  ['an unsigned aab', () => makeAab(), false],
  ['an apk with a signing block', async () => withSigningBlock(await makeAab(), ['v2']), true],
  ['what is no zip', () => Promise.resolve(Buffer.from('no zip')), false],
  ['the end of a zip alone', () => Promise.resolve(Buffer.from('PK\x05\x06')), false],
])('finds the signature of %s', async (name, make, expected) => {
  const path = join(folder, `${name}.zip`);
  await writeFile(path, await make());
  expect(await hasSignature(path)).toBe(expected);
});

it('finds none in a file that is not there', async () => {
  expect(await hasSignature(join(folder, 'nowhere.aab'))).toBe(false);
});
