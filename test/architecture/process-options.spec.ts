import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SHIPPED_OPTIONS } from '../setup/node-options.js';

const read = (file: string): string => readFileSync(join(import.meta.dirname, '../..', file), 'utf8');
const commandOf = (program: string): string[] => ['node', ...SHIPPED_OPTIONS, program];
const bundle = 'dist/slipway.js';
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<'start' | 'slipway', string> };

it.each([
  ['package.json', commandOf('scripts/slipway.js').join(' ')],
  ['docs/deployment.md', commandOf(bundle).join(' ')],
  ['deploy/systemd/slipway-runner.service', commandOf('/opt/slipway/dist/slipway.js runner').join(' ')],
  ['Dockerfile', JSON.stringify(commandOf(bundle)).replaceAll(',', ', ')],
])('%s starts Slipway with the options of ADR 26', (file, command) => {
  expect(SHIPPED_OPTIONS).not.toEqual([]);
  expect(read(file)).toContain(command);
});

// A shell that runs several commands, such as dash, stays in between and ends at a signal without its command.
it.each(['start', 'slipway'] as const)('npm runs "%s" as one plain command, in sh and in cmd.exe', (name) => {
  expect(scripts[name]).toMatch(/^node [\w=./ -]+$/);
});
