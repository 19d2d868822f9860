import { join } from 'node:path';

const built = join(import.meta.dirname, '../../dist/src');

type BuiltDatabase = typeof import('../../src/embedded-postgres/embedded-postgres.js') &
  typeof import('../../src/database/schema/migrate.js');

/** The counts of devices, for a database that is filled. */
export function builtInsights(): Promise<typeof import('../../src/devices/insights/count-devices.js')> {
  return import(join(built, 'devices/insights/count-devices.js')) as ReturnType<typeof builtInsights>;
}

/** How passwords are kept, for people who sign in. */
export function builtPasswords(): Promise<typeof import('../../src/accounts/passwords/password-hash.js')> {
  return import(join(built, 'accounts/passwords/password-hash.js')) as ReturnType<typeof builtPasswords>;
}

/** The database functions of the built server, for code that runs uncompiled: test setup, scripts and benchmarks. */
export async function builtDatabase(): Promise<BuiltDatabase> {
  return {
    ...((await import(join(built, 'embedded-postgres/embedded-postgres.js'))) as object),
    ...((await import(join(built, 'database/schema/migrate.js'))) as object),
  } as BuiltDatabase;
}
