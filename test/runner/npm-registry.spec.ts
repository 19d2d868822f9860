import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import yazl from 'yazl';
import { ownAddresses } from '../../src/runner/sandbox/network/routes.js';
import type { SandboxOptions } from '../../src/runner/sandbox/sandbox-options.js';
import { summaryOf } from '../support/failure-summaries/summary-of.js';
import { BuildBench, type BenchBuild, type BenchResult, readZip } from '../support/runners/build-bench.js';
import { LocalRegistry } from '../support/runners/local-registry.js';
import { hasSandbox, options } from '../support/runners/sandbox/jobs.js';

const dist = join(import.meta.dirname, '../../dist/src/runner');
const load = (path: string): Promise<unknown> => import(pathToFileURL(join(dist, path)).href);
type FindSandbox = typeof import('../../src/runner/sandbox/find-sandbox.js').findSandbox;
type ToolFolders = typeof import('../../src/runner/steps/tools/tool-folders.js').toolFolders;

const [own] = ownAddresses();
const TEXT = 'Hello from the registry';
/** The registry is asked once, so that a test need not wait for the pauses of npm. */
const ONCE = 'fetch-retries=0\n';

const BUILD = `
const { writeFileSync, mkdirSync } = require('node:fs');
mkdirSync('dist', { recursive: true });
writeFileSync('dist/index.html', require('acme-banner'));
writeFileSync('dist/env.txt', JSON.stringify(process.env));`;

/** A project with one dependency. @param more further files */
async function project(more: Readonly<Record<string, string>> = {}): Promise<Buffer> {
  const files: Record<string, string> = {
    'package.json': JSON.stringify({
      name: 'shop',
      version: '1.0.0',
      private: true,
      scripts: { build: 'node build.cjs' },
      dependencies: { 'acme-banner': '1.0.0' },
    }),
    'build.cjs': BUILD,
    '.npmrc': ONCE,
    ...more,
  };
  const zip = new yazl.ZipFile();
  for (const [path, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), path);
  zip.end();
  return buffer(zip.outputStream);
}

(hasSandbox && own !== undefined ? describe : describe.skip)('RUNNER_NPM_REGISTRY in a sandbox', () => {
  let registry: LocalRegistry;
  /** On another port of the same machine. */
  let other: LocalRegistry;

  beforeAll(async () => {
    registry = await LocalRegistry.start(own ?? '', 'acme-banner', TEXT);
    other = await LocalRegistry.start(own ?? '', 'acme-banner', 'of another registry');
  });
  afterAll(() => Promise.all([registry.stop(), other.stop()]));

  async function build(settings: Partial<SandboxOptions>, values: BenchBuild): Promise<BenchResult> {
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
    const sandbox = await findSandbox({ ...options, ...limits, ...settings });
    const bench = await BuildBench.create((folders) => sandbox.open(folders));
    return bench.build(values);
  }

  const pageOf = async ({ files }: BenchResult): Promise<string | undefined> =>
    (await readZip(files[0]?.path ?? ''))['index.html'];

  it('gives builds packages of a private registry, and opens its port only', async () => {
    const npmRegistry = `${registry.origin}/`;
    const result = await build({ npmRegistry }, { source: await project() });
    expect(result.error).toBeNull();
    expect(await pageOf(result)).toBe(TEXT);
    expect(registry.requested).toEqual(expect.arrayContaining(['/acme-banner', '/package.tgz']));
    expect(result.log).toContain(`npm gets packages from ${npmRegistry}\n`);
    expect(result.sandbox.notes.join('\n')).toContain(`${own}, on port ${registry.port} only.`);
    const { 'env.txt': env = '' } = await readZip(result.files[0]!.path);
    expect(JSON.parse(env)).toMatchObject({ npm_config_registry: npmRegistry });

    const environment = { npm_config_registry: other.origin };
    const refused = await build({ npmRegistry }, { source: await project(), environment });
    expect(refused.error).toMatchObject({ step: 'install' });
    expect(refused.log).toContain('EHOSTUNREACH');
    expect(other.requested).toEqual([]);
    expect(refused.log).toContain(
      `Builds do not reach ${own}. The operator of the runner opens it: add ${own} to RUNNER_ALLOW\n`,
    );
  });

  it('is not used by a project that names a registry itself', async () => {
    const npmrc = `${ONCE}registry=${other.origin}\n`;
    const settings = { npmRegistry: `${registry.origin}/`, allow: [own ?? ''] };
    const result = await build(settings, { source: await project({ '.npmrc': npmrc }) });
    expect(result.error).toBeNull();
    expect(await pageOf(result)).toBe('of another registry');
  });

  it('asks a registry that does not resolve again after short pauses, and says so', async () => {
    const npmrc = 'registry=http://registry.acme.invalid/\nloglevel=http\n';
    const { error, log } = await build({}, { source: await project({ '.npmrc': npmrc }) });
    expect(error).toMatchObject({ step: 'install' });
    // With the pauses of npm itself there are three attempts, in 70 seconds.
    expect(log).toMatch(/attempt 4 failed with (?:ENOTFOUND|EAI_AGAIN)/);
    expect(summaryOf(log)).toContain('npm cannot reach the registry registry.acme.invalid.');
  });

  it('waits for a registry that is slow, and asks one that fails again', async () => {
    const npmrc = `registry=${other.origin}\n`;
    Object.assign(other, { delay: 1200, failures: 2 });
    const result = await build({ allow: [own ?? ''] }, { source: await project({ '.npmrc': npmrc }) });
    Object.assign(other, { delay: 0, failures: 0 });
    expect(result.error).toBeNull();
    expect(await pageOf(result)).toBe('of another registry');
  });

  it('says that the loopback of the machine cannot be reached, and does without it', async () => {
    const settings = { npmRegistry: 'http://localhost:4873/' };
    const npmrc = `${ONCE}registry=http://127.0.0.1:9/\n`;
    const result = await build(settings, { source: await project({ '.npmrc': npmrc }) });
    expect(result.sandbox.npmRegistry).toBeNull();
    expect(result.sandbox.notes.join('\n')).toContain(
      'RUNNER_NPM_REGISTRY is http://localhost:4873/, on the loopback of this machine, which builds cannot reach',
    );
    expect(result.log).not.toContain('RUNNER_ALLOW');
  });

  it('says what opens a host that a build could not reach, and not what is open already', async () => {
    const allow = ['10.255.255.0/24'];
    const npmrc = `${ONCE}registry=${other.origin}\n`;
    const result = await build({ allow }, { source: await project({ '.npmrc': npmrc }) });
    expect(result.log).toContain(`: add ${own} to RUNNER_ALLOW\n`);
    expect(result.log).not.toContain('10.255.255.0');
  });
});
