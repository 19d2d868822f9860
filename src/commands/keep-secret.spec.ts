import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepSecret } from './keep-secret.js';

describe('keepSecret', () => {
  const format = { isValid: (text: string) => /^secret \d$/.test(text), remedy: 'Restore it.' };
  let folder: string;
  let path: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-secret-'));
    path = join(folder, 'key');
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('makes the secret once, for its owner only', async () => {
    expect(await keepSecret(path, () => 'secret 1', format)).toBe('secret 1');
    expect(await keepSecret(path, () => 'secret 2', format)).toBe('secret 1');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['key']);
  });

  it('keeps the secret of the first of several processes', async () => {
    const secrets = [1, 2, 3, 4, 5].map((number) => keepSecret(path, () => `secret ${number}`, format));
    const kept = new Set(await Promise.all(secrets));
    expect([...kept]).toEqual([(await readFile(path, 'utf8')).trim()]);
    expect(await readdir(folder)).toEqual(['key']);
  });

  it('never shows a part of the secret, which would be left by a kill', async () => {
    const long = 'x'.repeat(64 * 1024 * 1024);
    const kept = keepSecret(path, () => long, { ...format, isValid: () => true });
    let found: number | null = null;
    while (found === null)
      found = await stat(path).then(
        ({ size }) => size,
        () => null,
      );
    expect(found).toBe(long.length + 1);
    await kept;
  });

  it('says what to do about a damaged file, and makes none if it may not', async () => {
    expect(await keepSecret(path, undefined, format)).toBeNull();
    await writeFile(path, 'secr');
    await expect(keepSecret(path, () => 'secret 1', format)).rejects.toThrow(
      `${path} is damaged. Restore it.`,
    );
  });
});
