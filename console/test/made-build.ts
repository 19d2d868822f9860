import type { TestApp } from '../../test/builders/app.js';
import { finishJob as endJob, sendLog, type TestLease } from '../../test/support/jobs/leases.js';
import { zipOf } from '../../test/support/live-updates/archives.js';
import {
  startBuild,
  takeJob,
  type TestBuild,
  uploadArtifact,
} from '../../test/support/native-builds/leases.js';
import { uploadSource } from '../../test/support/native-builds/sources.js';

/** Bytes of one request of a runner. */
const PART = 60_000;

/** A build on whose job the test works as a runner would. */
export interface RunningBuild extends TestBuild {
  readonly lease: TestLease;
  /** Adds to its log. */
  print(text: string): Promise<void>;
  /** Ends it: one that has succeeded has a web bundle. */
  end(status: 'succeeded' | 'failed', values?: object): Promise<void>;
}

/** Starts a build of an uploaded source, whose runner is the test. */
export async function runBuild(app: TestApp): Promise<RunningBuild> {
  const build = await startBuild(app, { appBuildSourceId: await uploadSource(app) });
  const lease = await takeJob(build.jobId);
  let sent = 0;
  const print = async (text: string): Promise<void> => {
    const bytes = Buffer.from(text);
    for (let start = 0; start < bytes.length; start += PART) {
      const part = bytes.subarray(start, start + PART);
      const { status } = await sendLog(lease, sent, part, { gzip: true });
      if (status !== 202) throw new Error(`The log was not taken: ${status}`);
      sent += part.length;
    }
  };
  const end = async (status: 'succeeded' | 'failed', values: object = {}): Promise<void> => {
    if (status === 'succeeded') await uploadArtifact(lease, await zipOf({ 'index.html': '<html>built' }));
    const finished = await endJob(lease, { status, logBytes: sent, ...values });
    if (finished.status !== 200) throw new Error(finished.text);
  };
  return { ...build, lease, print, end };
}

/** What a build prints that fails in its second step. */
export const FAILED_LOG = [
  '§ Installing dependencies: npm ci',
  ...Array.from({ length: 60 }, (_, n) => `npm http fetch GET 200 package-${n}`),
  '§ Installing dependencies took 41.0 s',
  '§ Building: npm run build',
  '> vite build',
  '\u001B[31merror during build:\u001B[39m',
  '[vite]: Rollup failed to resolve import "dayjs" from "src/main.ts".',
  '§ Building took 12.0 s',
  '§ The command "npm run build" failed with exit code 1.',
  '',
].join('\n');
