import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BuildPayloadDto } from '../../../../src/native-builds/runner-builds/build-payload.dto.js';
import type { JobFolders } from '../../../../src/runner/folders/job-folders.js';
import type { BuildOptions } from '../../../../src/runner/steps/build-options.js';
import type { BuiltFile } from '../../../../src/runner/steps/build-run.js';

/*
 * One iOS build in a process of its own, whose home is that of a stand-in for a Mac, as it was built. Its argument is the path
 * of the build; it prints the log, and then the result in one line. SIGTERM cancels the build.
 */
export interface IosBenchInput {
  readonly payload: BuildPayloadDto;
  readonly folders: JobFolders;
  readonly options: BuildOptions;
  /** Path of the archive. */
  readonly archive: string;
}

export interface IosBenchOutput {
  readonly files: readonly BuiltFile[];
  readonly reports: readonly object[];
  readonly error: { readonly step: string | null; readonly message: string } | null;
}

/** Begins the line of the result. */
const RESULT = '\u0000result ';

const dist = join(import.meta.dirname, '../../../../dist/src/runner');
const load = <M>(path: string): Promise<M> => import(pathToFileURL(join(dist, path)).href) as Promise<M>;
const { runDriver } =
  await load<typeof import('../../../../src/runner/drivers/drivers.js')>('drivers/drivers.js');
const { NoSandbox } = await load<typeof import('../../../../src/runner/sandbox/none.js')>('sandbox/none.js');

const { payload, folders, options, archive } = JSON.parse(
  readFileSync(process.argv[2] ?? '', 'utf8'),
) as IosBenchInput;
const canceled = new AbortController();
process.once('SIGTERM', () => canceled.abort(new Error('The build was canceled.')));
const sandbox = new NoSandbox({ npmRegistry: null, memoryMiB: 1024 });
const reports: object[] = [];
const opened = await sandbox.open(folders);
let output: IosBenchOutput;
try {
  const files = await runDriver(
    {
      payload,
      folders,
      sandbox: opened,
      log: {
        write: (chunk) => void process.stdout.write(chunk),
        line: (text) => void process.stdout.write(`${text}\n`),
      },
      signal: canceled.signal,
      openSigning: () => sandbox.openSigning(folders),
      openSource: () => Promise.resolve(createReadStream(archive)),
      report: (values) => {
        reports.push(values);
        return Promise.resolve();
      },
    },
    options,
  );
  output = { files, reports, error: null };
} catch (error) {
  const { step = null, message } = error as { step?: string; message: string };
  output = { files: [], reports, error: { step, message } };
}
process.stdout.write(`\n${RESULT}${JSON.stringify(output)}\n`, () => process.exit());
