import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { blocksOf } from '../processes/shell.js';

const page = readFileSync(join(import.meta.dirname, '../../../docs/guides/build-a-receiver.md'), 'utf8');

/** The programs of docs/guides/build-a-receiver.md as a reader saves them, by the names that their first lines give. */
export const receiverPrograms: Readonly<Record<string, string>> = Object.fromEntries(
  [...blocksOf(page, 'js'), ...blocksOf(page, 'py')].map((program) => {
    const [, name = ''] = /^(?:\/\/|#) (\S+)\n/.exec(program) ?? [];
    return [name, program];
  }),
);
