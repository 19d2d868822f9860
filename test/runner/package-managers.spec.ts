import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ownAddresses } from '../../src/runner/sandbox/network/routes.js';
import { oneOf } from '../setup/depth.js';
import { zipOf } from '../support/live-updates/archives.js';
import { temporaryFolder } from '../support/processes/temporary-folders.js';
import { BuildBench, type BenchResult, readZip } from '../support/runners/build-bench.js';
import { fixturePackages } from '../support/runners/package-managers/fixture-packages.js';
import { packagesOfMachine } from '../support/runners/package-managers/machine-tools.js';
import { toJson } from '../support/runners/package-managers/projects.js';
import { choices, commands } from '../support/runners/package-managers/repositories/choices.js';
import { NODE_22, nodeRepositories } from '../support/runners/package-managers/repositories/nodes.js';
import { npmRepositories } from '../support/runners/package-managers/repositories/npm.js';
import { pnpmRepositories } from '../support/runners/package-managers/repositories/pnpm.js';
import type { Repository } from '../support/runners/package-managers/repositories/repository.js';
import { tools } from '../support/runners/package-managers/repositories/tools.js';
import { workspaceRepositories } from '../support/runners/package-managers/repositories/workspaces.js';
import {
  berryRepositories,
  yarnRepositories,
} from '../support/runners/package-managers/repositories/yarn.js';
import { StaticRegistry } from '../support/runners/package-managers/static-registry.js';
import { hasRegistry } from '../support/runners/registry.js';
import { hasSandbox, options } from '../support/runners/sandbox/jobs.js';

const dist = join(import.meta.dirname, '../../dist/src/runner');
const load = (path: string): Promise<unknown> => import(pathToFileURL(join(dist, path)).href);
type FindSandbox = typeof import('../../src/runner/sandbox/find-sandbox.js').findSandbox;
type ToolFolders = typeof import('../../src/runner/steps/tools/tool-folders.js').toolFolders;

const [own] = ownAddresses();
const TABLE: Readonly<Record<string, readonly Repository[]>> = {
  npm: npmRepositories,
  pnpm: pnpmRepositories,
  'Yarn 1': yarnRepositories,
  'Yarn 4': berryRepositories,
  'what decides': choices,
  commands,
  'Node.js': nodeRepositories,
  workspaces: workspaceRepositories,
};
/** Of each kind one, another one with each seed, and all in `npm run test:deep`. */
const chosen = Object.entries(TABLE)
  .flatMap(([kind, rows], turn) => oneOf(rows, turn).map((row) => [kind, row.name, row] as const))
  .filter(([, , row]) => hasRegistry || row.tools === undefined);

let registry: StaticRegistry;
let bench: BuildBench;
let folders: { readonly nodeDir: string; readonly storeDir: string };

/** A folder of versions with one besides that of the runner, which is the same program under another number. */
async function makeNodeDir(): Promise<string> {
  const folder = await temporaryFolder();
  const bin = join(folder, '22/bin');
  const program = `#!/bin/sh
[ "$1" = --version ] && exec echo ${NODE_22}
exec ${process.execPath} --require ${bin}/version.cjs "$@"
`;
  await mkdir(bin, { recursive: true });
  await writeFile(
    join(bin, 'version.cjs'),
    `Object.defineProperty(process, 'version', { value: '${NODE_22}' });`,
  );
  await writeFile(join(bin, 'node'), program);
  await chmod(join(bin, 'node'), 0o755);
  return folder;
}

(hasSandbox && own !== undefined ? describe : describe.skip)('what a build installs', () => {
  beforeAll(async () => {
    const needed = new Set(chosen.flatMap(([, , row]) => row.tools ?? []));
    registry = await StaticRegistry.start(own ?? '', [
      ...fixturePackages,
      ...packagesOfMachine(Object.values(tools).filter((spec) => needed.has(spec))),
    ]);
    folders = { nodeDir: await makeNodeDir(), storeDir: await temporaryFolder() };
    const { findSandbox } = (await load('sandbox/find-sandbox.js')) as { findSandbox: FindSandbox };
    const { toolFolders } = (await load('steps/tools/tool-folders.js')) as { toolFolders: ToolFolders };
    const readOnly = toolFolders({ ...folders, androidHome: null, jdkDir: null, toolsDir: null });
    const limits = { memoryMiB: 2048, processes: 512, diskMiB: 1024, readOnly };
    const sandbox = await findSandbox({ ...options, ...limits, npmRegistry: registry.url });
    bench = await BuildBench.create((folders) => sandbox.open(folders));
  });
  afterAll(() => registry.stop());

  it.each(chosen)('%s: %s', async (kind, name, { files, entry = {}, environment = {}, expected }) => {
    const appId = `${kind}-${name}`.replaceAll(/[^a-z\d]+/gi, '-');
    const config = { 'capawesome.config.json': toJson({ cloud: { apps: [{ appId, ...entry }] } }) };
    const source = await zipOf({ ...files(registry), ...config });
    const build = (): Promise<BenchResult> =>
      bench.build({
        source,
        appId,
        environment,
        isDefaultBranch: true,
        options: { ...folders, toolRegistry: registry.url },
      });
    for (const turn of ['first', 'second']) {
      const { error, log, files: built } = await build();
      for (const text of expected.log ?? []) expect(log).toContain(text);
      if ('step' in expected) {
        const { step, message } = expected;
        expect([turn, error]).toMatchObject([turn, { step, message: expect.stringMatching(message) }]);
        continue;
      }
      expect([turn, error, error === null ? '' : log]).toEqual([turn, null, '']);
      if (turn === 'second') expect(log).toContain('Found a cache of the app: ');
      const report: unknown = JSON.parse((await readZip(built[0]?.path ?? ''))['index.html'] ?? '');
      const { installedBy, packages, node = expect.any(String) as string } = expected;
      expect([turn, report]).toEqual([
        turn,
        { node, installedBy: expect.stringContaining(installedBy), packages },
      ]);
    }
  });
});
