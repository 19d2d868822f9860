import { jest } from '@jest/globals';
import { execFile } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
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
  const building = Object.values(scripts)
    .filter((script) => /build|dist\//.test(script))
    // Of the console, which is another program.
    .filter((script) => script !== 'node scripts/build-console.ts');
  expect(building.length).toBeGreaterThan(10);
  for (const script of building) expect(script).toContain('node scripts/build.ts');
});

describe('what a start of the server reads', () => {
  const folder = join(root, 'dist/chunks');
  const chunks = new Map<string, string>();
  const read = (name: string): void => {
    if (chunks.has(name)) return;
    const code = readFileSync(join(folder, name), 'utf8');
    chunks.set(name, code);
    for (const [, imported = ''] of code.matchAll(/(?:from|import)"\.\/([\w.-]+)"/g)) read(imported);
  };
  let code = '';

  beforeAll(() => {
    const programs = readdirSync(folder).filter((name) => /^(slipway|start|app\.module)-\w+\.js$/.test(name));
    expect(programs.length).toBe(3);
    programs.forEach(read);
    code = [...chunks.values()].join('\n');
  });

  it('is in ASCII, because a chunk with one other character takes twice the memory', () => {
    expect(chunks.size).toBeGreaterThan(10);
    expect([...chunks].filter(([, text]) => /[^\0-\x7F]/.test(text)).map(([name]) => name)).toEqual([]);
  });

  it('leaves out what is imported lazily', () => {
    const names = [...chunks.keys()].join(' ');
    expect(readdirSync(folder).join(' ')).toMatch(/nodemailer-.* s3-object-storage-/);
    expect(names).not.toMatch(
      /nodemailer|s3-object-storage|built-in-runner|migrate-|openapi-|import-bundles/,
    );
    expect(code).not.toMatch(/node_modules\/(nodemailer|@aws-sdk|@smithy)\//);
  });

  it('leaves out modules of libraries that Slipway never uses', () => {
    // Modules of CommonJS have their paths as names.
    const modules = [...code.matchAll(/"node_modules\/([^"]+)"\([^)]*\)\{(\}?)/g)];
    const unused =
      /^(typeorm\/driver\/(?!postgres)[\w-]+\/\w+(Driver|QueryRunner)\.js|iconv-lite\/encodings\/tables)/;
    const emptied = modules.filter(([, path = '']) => unused.test(path));
    expect(emptied.length).toBeGreaterThan(20);
    expect(emptied.filter(([, , end]) => end !== '}').map(([, path]) => path)).toEqual([]);
    expect(code).not.toMatch(/BYWEEKNO MUST NOT|metadata\.max\.json/);
  });

  it('can leave out telephone numbers, because nothing validates one', () => {
    const sources = globSync('src/**/*.ts', { cwd: root }).map((path) =>
      readFileSync(join(root, path), 'utf8'),
    );
    expect(sources.filter((text) => /IsPhoneNumber|isPhoneNumber/.test(text))).toEqual([]);
  });
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
