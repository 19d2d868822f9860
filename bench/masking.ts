import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { rounded } from './measure.ts';
import { Results } from './results.ts';

/*
 * `npm run bench:masking -- --against <commit>`: how many bytes of a log are cleaned and masked in a second, in the working
 * tree and in a commit. Both mask the same logs with the same secrets in one process, in turns. The fastest turn of each
 * counts, because other work on the machine only makes turns slower. docs/performance.md has figures.
 */

type Masking = Pick<typeof import('../src/common/secrets/clean-lines.ts'), 'cleanLines'> &
  Pick<typeof import('../src/common/secrets/secret-masker.ts'), 'SecretMasker'>;

const ROOT = join(import.meta.dirname, '..');
const TURNS = 200;
const LOG_BYTES = 32 * 1024;

const { values } = parseArgs({ options: { against: { type: 'string' } } });
if (values.against === undefined) {
  console.error('Name the commit to compare with: npm run bench:masking -- --against <commit>');
  process.exit(1);
}

const token = (): string => randomBytes(24).toString('base64url');
const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const pem = key.export({ type: 'pkcs8', format: 'pem' }) as string;
const account = JSON.stringify({ type: 'service_account', project_id: 'acme', private_key: pem }, null, 2);

const secretsOf: Readonly<Record<string, readonly string[]>> = {
  'no secrets': [],
  'one token': [token()],
  'twenty tokens': Array.from({ length: 20 }, token),
  'tokens and a service account': [...Array.from({ length: 10 }, token), account],
  'an environment that is full': Array.from({ length: 48 }, () =>
    Array.from({ length: 31 }, () => randomBytes(48).toString('base64')).join('\n'),
  ),
};

/** Lines in turns up to the size of a log. */
function logOf(lines: readonly string[]): Buffer {
  const text = lines.map((line) => `${line}\n`).join('');
  return Buffer.from(text.repeat(Math.ceil(LOG_BYTES / text.length)).slice(0, LOG_BYTES));
}

const logs: Readonly<Record<string, Buffer>> = {
  words: logOf([
    'npm warn deprecated inflight@1.0.6: This module is not supported, and leaks memory. Do not use it.',
    'transforming (1234) src/components/ShoppingCart/CartItemList.tsx',
    'dist/assets/index-DiwrgTda.js                  143.36 kB │ gzip: 46.11 kB',
    '> Task :app:compileReleaseKotlin UP-TO-DATE',
    '✓ 1845 modules transformed.',
  ]),
  colors: logOf([
    '\x1b[32m✓\x1b[39m \x1b[1msrc/cart.ts\x1b[22m 143.36 kB',
    '\x1b[2mrendering chunks...\x1b[22m',
  ]),
  Base64: logOf(Array.from({ length: 200 }, () => randomBytes(57).toString('base64'))),
};

// Within the checkout, so that its packages are found.
mkdirSync(join(ROOT, 'bench/results'), { recursive: true });
const folder = mkdtempSync(join(ROOT, 'bench/results/masking-'));
try {
  const archive = execFileSync('git', ['archive', values.against, 'src/common/secrets'], {
    cwd: ROOT,
    maxBuffer: 64 * 1024 ** 2,
  });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  // Twice: what differs between the two is the error of the measurement.
  const programs = [
    await maskingOf(ROOT, 'now'),
    await maskingOf(ROOT, 'again'),
    await maskingOf(folder, 'then'),
  ] as const;
  const results = new Results('masking');
  for (const [name, log] of Object.entries(logs)) {
    results.add(
      `MB a second: ${name}`,
      Object.entries(secretsOf).map(([secrets, texts]) => compare(secrets, texts, log, programs)),
    );
  }
  await results.write();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** What the sources in a folder mask, in a module of its own. */
async function maskingOf(sources: string, name: string): Promise<Masking> {
  const outfile = join(folder, `${name}.mjs`);
  const from = (path: string): string => JSON.stringify(join(sources, 'src/common/secrets', path));
  await build({
    stdin: {
      contents: `export { cleanLines } from ${from('clean-lines.ts')};
export { SecretMasker } from ${from('secret-masker.ts')};`,
      resolveDir: sources,
      loader: 'ts',
    },
    tsconfigRaw: {},
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  });
  return (await import(outfile)) as Masking;
}

function compare(
  secrets: string,
  texts: readonly string[],
  log: Buffer,
  programs: readonly [Masking, Masking, Masking],
) {
  const runs = programs.map(({ cleanLines, SecretMasker }) => {
    const masker = SecretMasker.of(texts);
    return (): number => {
      const start = process.hrtime.bigint();
      cleanLines(log, masker, true);
      return Number(process.hrtime.bigint() - start);
    };
  });
  const fastest = runs.map(() => Infinity);
  for (let turn = 0; turn < TURNS; turn++) {
    runs.forEach((run, n) => (fastest[n] = Math.min(fastest[n] ?? Infinity, run())));
  }
  const [now = 0, again = 0, then = 0] = fastest.map((ns) => (log.length * 1000) / ns);
  return {
    secrets,
    now: rounded(now),
    again: rounded(again),
    [values.against ?? '']: rounded(then),
    'now ÷ then': rounded(Math.max(now, again) / then, 2),
    'spread (%)': rounded((Math.max(now, again) / Math.min(now, again) - 1) * 100, 1),
  };
}
