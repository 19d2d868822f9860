import { jest } from '@jest/globals';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { withBuildLock } from '../../scripts/build-lock.js';

const root = join(import.meta.dirname, '../..');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

it('does not build again what is built, without a word', async () => {
  const program = join(root, 'dist/slipway.js');
  const build = () => promisify(execFile)(process.execPath, ['scripts/build.ts'], { cwd: root });
  await build();
  const before = statSync(program).mtimeMs;
  const { stdout, stderr } = await build();
  expect([stdout, stderr]).toEqual(['', '']);
  expect(statSync(program).mtimeMs).toBe(before);
});

it('shares one build between all commands', () => {
  const building = Object.values(scripts).filter((script) => /build|dist\//.test(script));
  expect(building.length).toBeGreaterThan(10);
  for (const script of building) expect(script).toContain('node scripts/build.ts');
});

describe('withBuildLock', () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-build-'));
  const lock = join(folder, 'lock');

  beforeEach(() => void jest.spyOn(console, 'error').mockReturnValue(undefined));
  afterEach(() => void jest.restoreAllMocks());
  afterAll(() => rmSync(folder, { recursive: true }));

  it('lets one build at a time run, and leaves nothing behind when one fails', async () => {
    let running = 0;
    const build = (fails: boolean): Promise<void> =>
      withBuildLock(lock, async () => {
        expect(++running).toBe(1);
        await setTimeout(20);
        running--;
        if (fails) throw new Error('a syntax error');
      });
    const results = await Promise.allSettled([build(false), build(true), build(false)]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(existsSync(lock)).toBe(false);
  });

  it('takes over from a process that was killed', async () => {
    writeFileSync(lock, '999999999');
    const aMinuteAgo = Date.now() / 1000 - 60;
    utimesSync(lock, aMinuteAgo, aMinuteAgo);
    let hasRun = false;
    await withBuildLock(lock, () => Promise.resolve(void (hasRun = true)));
    expect(hasRun).toBe(true);
  });
});
