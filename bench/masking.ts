import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { rounded } from './measure.ts';
import { compareModules } from './modules.ts';
import { Results } from './results.ts';

/*
 * `npm run bench:masking -- --against <commit>`: how many bytes of a log are cleaned and masked in a second, in the working
 * tree and in a commit. Both mask the same logs with the same secrets in one process, in turns. The fastest turn of each
 * counts, because other work on the machine only makes turns slower. docs/performance.md has figures.
 */

type Masking = Pick<typeof import('../src/common/secrets/clean-lines.ts'), 'cleanLines'> &
  Pick<typeof import('../src/common/secrets/secret-masker.ts'), 'SecretMasker'>;

const TURNS = 200;
const LOG_BYTES = 32 * 1024;

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

await compareModules<Masking>(
  'masking',
  { 'common/secrets/clean-lines.ts': 'cleanLines', 'common/secrets/secret-masker.ts': 'SecretMasker' },
  async (programs, commit) => {
    const results = new Results('masking');
    for (const [name, log] of Object.entries(logs)) {
      results.add(
        `MB a second: ${name}`,
        Object.entries(secretsOf).map(([secrets, texts]) => ({
          secrets,
          ...compare(texts, log, commit, programs),
        })),
      );
    }
    await results.write();
  },
);

function compare(
  texts: readonly string[],
  log: Buffer,
  commit: string,
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
    now: rounded(now),
    again: rounded(again),
    [commit]: rounded(then),
    'now ÷ then': rounded(Math.max(now, again) / then, 2),
    'spread (%)': rounded((Math.max(now, again) / Math.min(now, again) - 1) * 100, 1),
  };
}
