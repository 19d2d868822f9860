import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { dockerfile } from '../../deploy/files.js';

const read = (path: string): string => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');

interface Workflow {
  readonly permissions: object;
  readonly jobs: Readonly<
    Record<string, { 'timeout-minutes': number; steps: readonly { uses?: string; run?: string }[] }>
  >;
}

it('has one licence: in the file, the package, the image and the OpenAPI document', () => {
  expect(read('LICENSE')).toMatch(/^\s+Apache License\n\s+Version 2\.0, January 2004\n/);
  expect(JSON.parse(read('package.json'))).toMatchObject({ license: 'Apache-2.0' });
  expect(JSON.parse(read('openapi.json'))).toMatchObject({ info: { license: { name: 'Apache-2.0' } } });
  const labels = dockerfile.getInstructions().filter((it) => it.getKeyword() === 'LABEL');
  expect(labels.map(String).join('\n')).toContain('org.opencontainers.image.licenses="Apache-2.0"');
});

it('runs .ci/run in the workflow, with pinned actions, no right to write, and a time limit', () => {
  const { permissions, jobs } = load(read('.github/workflows/ci.yml')) as Workflow;
  expect(permissions).toEqual({ contents: 'read' });
  expect(Object.keys(jobs)).toEqual(['checks']);
  const { steps, 'timeout-minutes': minutes } = jobs['checks']!;
  expect(minutes).toBe(90);
  expect(steps.at(-1)).toEqual({ run: '.ci/run' });
  for (const { uses } of steps) if (uses !== undefined) expect(uses).toMatch(/^actions\/[\w-]+@v\d+$/);
});

it('runs the deep suites every night, with pinned actions, no right to write, and a time limit', () => {
  const { permissions, jobs } = load(read('.github/workflows/nightly.yml')) as Workflow;
  expect(permissions).toEqual({ contents: 'read' });
  const { steps, 'timeout-minutes': minutes } = jobs['deep']!;
  expect(minutes).toBe(240);
  expect(steps.map(({ run }) => run)).toContainEqual(expect.stringMatching(/^npm run test:deep -- /));
  for (const { uses } of steps) if (uses !== undefined) expect(uses).toMatch(/^actions\/[\w-]+@v\d+$/);
});

it('needs nothing outside of the checkout in .ci', () => {
  for (const script of ['.ci/run', '.ci/start'])
    expect(read(script)).not.toMatch(/\.\.\/\.\.|\/shared\b|\/work\b/);
});
