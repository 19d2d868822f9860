import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CONFIG_FILES, renderConfiguration } from '../../scripts/docs/configuration.js';
import { Config } from '../../src/config/config.js';
import { envVariablesOf } from '../../src/config/env.decorator.js';

const read = (path: string): Promise<string> => readFile(join(import.meta.dirname, '../..', path), 'utf8');

it('has the current docs/configuration.md, with every environment variable', async () => {
  const page = await read('docs/configuration.md');
  expect(page).toBe(renderConfiguration(await Promise.all(CONFIG_FILES.map(read))));
  const names = Object.values(new Config()).flatMap((section: object) =>
    [...envVariablesOf(section).values()].map(({ name }) => name),
  );
  expect(names).toContain('DATABASE_URL');
  expect(names.filter((name) => !page.includes(`| \`${name}\` `))).toEqual([]);
});
