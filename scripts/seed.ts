import { parseArgs } from 'node:util';
import { builtDatabase } from '../test/setup/built.ts';
import { printedProgress } from './seed/progress.ts';
import { seed } from './seed/seed.ts';
import { DEFAULT_SIZES, optionOf, type Sizes } from './seed/sizes.ts';

/**
 * `npm run seed -- --devices 1000000 --deployments 100000`: writes an organization with an app of these sizes to the
 * database of `DATABASE_URL`, or to the embedded one of `DATA_DIR`, which may be in use. docs/performance.md shows
 * more.
 */
function sizesOf(args: string[]): Sizes {
  const names = Object.keys(DEFAULT_SIZES) as (keyof Sizes)[];
  const options = Object.fromEntries(
    names.map((name) => [optionOf(name).slice(2), { type: 'string' as const }]),
  );
  const { values } = parseArgs({ args, options });
  const given = names.flatMap((name) => {
    const text = values[optionOf(name).slice(2)];
    if (text === undefined) return [];
    if (!/^\d+$/.test(text)) throw new Error(`${optionOf(name)} must be a whole number, not "${text}".`);
    return [[name, Number(text)]];
  });
  return { ...DEFAULT_SIZES, ...Object.fromEntries(given) };
}

async function main(): Promise<void> {
  const sizes = sizesOf(process.argv.slice(2));
  const { migrate, startEmbeddedPostgres } = await builtDatabase();
  const url = process.env['DATABASE_URL'];
  const embedded = url
    ? null
    : await startEmbeddedPostgres({ dataDir: process.env['DATA_DIR'] ?? '.slipway' });
  try {
    const database = url || (embedded?.url ?? '');
    if (embedded !== null) await migrate(database);
    const { organizationId, appId } = await seed(database, sizes, printedProgress(process.stdout));
    console.log(`organization   ${organizationId}\napp            ${appId}`);
  } finally {
    await embedded?.stop();
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
