import { join } from 'node:path';

const database = join(import.meta.dirname, '../../dist/src/database');

type BuiltDatabase = typeof import('../../src/database/embedded-postgres.js') &
  typeof import('../../src/database/migrate.js');

/** The database functions of the built server, for code that runs uncompiled: test setup, scripts and benchmarks. */
export async function builtDatabase(): Promise<BuiltDatabase> {
  return {
    ...((await import(join(database, 'embedded-postgres.js'))) as object),
    ...((await import(join(database, 'migrate.js'))) as object),
  } as BuiltDatabase;
}
