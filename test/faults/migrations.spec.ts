import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { dropDatabase, query } from '../setup/databases.js';
import { testEnvironment } from '../setup/test-environment.js';

const migrator = join(import.meta.dirname, '../../dist/src/database/schema/migrate.js');

it('migrates a fresh database once when three processes do so together', async () => {
  const { templateUrl } = testEnvironment();
  const name = `test_${randomBytes(6).toString('hex')}`;
  const url = new URL(templateUrl);
  url.pathname = '/postgres';
  await query(url.href, `CREATE DATABASE ${name}`);
  url.pathname = `/${name}`;
  try {
    const script = `
      const { migrate } = await import(process.argv[1]);
      console.log(JSON.stringify(await migrate(process.argv[2])));`;
    const run = async (): Promise<string[]> => {
      const args = ['--input-type=module', '-e', script, migrator, url.href];
      return JSON.parse((await promisify(execFile)(process.execPath, args)).stdout) as string[];
    };
    const results = await Promise.all([run(), run(), run()]);
    const applied = await query(templateUrl, 'SELECT name FROM migrations ORDER BY id');
    expect(results.flat()).toEqual(applied.map((row) => row['name']));
    expect(await query(url.href, 'SELECT name FROM migrations ORDER BY id')).toEqual(applied);
  } finally {
    await dropDatabase(url.href);
  }
});
