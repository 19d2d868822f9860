import { buffer } from 'node:stream/consumers';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import yazl from 'yazl';
import type { StepError } from '../../src/runner/steps/build-run.js';
import { summaryOf } from '../support/failure-summaries/summary-of.js';
import { BuildBench } from '../support/runners/build-bench.js';
import { hasSandbox, options } from '../support/runners/sandbox/jobs.js';

const dist = join(import.meta.dirname, '../../dist/src/runner');
type FindSandbox = typeof import('../../src/runner/sandbox/find-sandbox.js').findSandbox;
type ToolFolders = typeof import('../../src/runner/steps/tools/tool-folders.js').toolFolders;
const load = (path: string): Promise<unknown> => import(pathToFileURL(join(dist, path)).href);

/** A project whose one mistake is in these fields of package.json, or in the command that builds it. */
async function project(fields: object, command: string): Promise<Buffer> {
  const files = {
    'package.json': JSON.stringify({
      name: 'shop',
      version: '1.0.0',
      scripts: { build: command },
      ...fields,
    }),
    'build.sh': 'mkdir dist && echo shop > dist/index.html',
  };
  const zip = new yazl.ZipFile();
  for (const [path, content] of Object.entries(files))
    zip.addBuffer(Buffer.from(content), path, { mode: 0o644 });
  zip.end();
  return buffer(zip.outputStream);
}

const many = `const { mkdirSync, writeFileSync } = require('node:fs');
mkdirSync('dist');
for (let n = 0; n < 20_000; n++) writeFileSync('dist/' + n, '');
writeFileSync('dist/index.html', '');`;

(hasSandbox ? describe : describe.skip)('the advice after a build in a sandbox', () => {
  let bench: BuildBench;
  beforeAll(async () => {
    const { findSandbox } = (await load('sandbox/find-sandbox.js')) as { findSandbox: FindSandbox };
    const { toolFolders } = (await load('steps/tools/tool-folders.js')) as { toolFolders: ToolFolders };
    const readOnly = toolFolders({
      nodeDir: null,
      androidHome: null,
      jdkDir: null,
      toolsDir: null,
      storeDir: null,
    });
    const limits = { memoryMiB: 2048, processes: 512, diskMiB: 1024, readOnly };
    const sandbox = await findSandbox({ ...options, ...limits });
    bench = await BuildBench.create((folders) => sandbox.open(folders));
  });

  it.each([
    [{}, 'pnpm build', '"packageManager": "pnpm@10.34.9"'],
    [{}, 'git describe --tags && sh build.sh', 'git rev-parse --short HEAD || echo "build-$CI_BUILD_NUMBER"'],
    [{}, 'git init --quiet && git describe --tags && sh build.sh', 'git describe --tags --always'],
    [{}, './build.sh', 'git update-index --chmod=+x build.sh'],
    [{}, 'cordova prepare', 'npm install --save-dev cordova'],
    [{}, `node -e "${many}"`, '"webDir": "dist"'],
    [{}, `node -e "require('node:fs').openSync('/dev/net/tun', 'r+')"`, 'by RUNNER_ALLOW'],
    [{}, 'kill -STOP -1 && sh build.sh', 'kill -CONT'],
  ])('of %j and %j has %j', async (fields, command, advice) => {
    const { error, log } = await bench.build({ source: await project(fields, command) });
    const { message, step } = error as StepError;
    // The runner ends its log with the message.
    const summary = summaryOf(`${log}\n§ ${message}`, step, message);
    expect(summary.split('\nWhat to do:\n')[1]).toContain(advice);
  });
});
