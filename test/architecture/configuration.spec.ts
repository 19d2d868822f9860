import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Config } from '../../src/config/config.js';
import { envVariablesOf } from '../../src/config/env.decorator.js';

it('documents every environment variable in docs/configuration.md', async () => {
  const page = await readFile(join(import.meta.dirname, '../../docs/configuration.md'), 'utf8');
  const names = Object.values(new Config()).flatMap((section: object) =>
    [...envVariablesOf(section).values()].map(({ name }) => name),
  );
  expect(names).toContain('DATABASE_URL');
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
