import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StepError } from './build-run.js';
import { inStep, machineSentence } from './machine-errors.js';

const systemError = (code: string): Error =>
  Object.assign(new Error(`${code}: no, open '/var/lib/runner/jobs/1'`), { code, syscall: 'open' });

it('ends a step whose file has a name of 300 bytes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-spec-'));
  const failed = inStep('source', () => writeFile(join(folder, 'x'.repeat(300)), ''));
  await expect(failed).rejects.toEqual(
    new StepError('source', 'A file or a folder has a name or a path that is too long for the runner.'),
  );
  await expect(failed).rejects.toMatchObject({ step: 'source' });
  await rm(folder, { recursive: true });
});

it('says that the disk is full', async () => {
  const failed = inStep('build', () => writeFile('/dev/full', 'x'));
  await expect(failed).rejects.toEqual(new StepError('build', 'The disk of the runner is full.'));
});

it('names no path of the machine', async () => {
  await expect(inStep('output', () => readFile('/none/at/all'))).rejects.toEqual(
    new StepError('output', 'The machine of the runner refused an operation (open: ENOENT).'),
  );
  expect(machineSentence(systemError('EIO'))).not.toContain('/');
});

it('leaves other errors as they are', async () => {
  for (const error of [new StepError('install', 'No.'), new Error('other')]) {
    await expect(inStep('output', () => Promise.reject(error))).rejects.toBe(error);
    expect(machineSentence(error)).toBeNull();
  }
});
