import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { fromBufferPromise } from 'yauzl';
import type { BuildPayloadDto } from '../../../src/native-builds/runner-builds/build-payload.dto.js';
import type { UpdateRunnerBuildDto } from '../../../src/native-builds/runner-builds/runner-artifact.dto.js';
import type { BuildOptions } from '../../../src/runner/steps/build-options.js';
import type { BuiltFile } from '../../../src/runner/steps/build-run.js';
import { NoSandbox } from '../../../src/runner/sandbox/none.js';
import type { JobFolders } from '../../../src/runner/folders/job-folders.js';
import type { JobSandbox, Sandbox } from '../../../src/runner/sandbox/sandbox.js';
import { temporaryFolder } from '../processes/temporary-folders.js';
import { PlainSandbox } from './plain-sandbox.js';

/** As it was built: it starts a program beside itself. */
const BUILT = pathToFileURL(join(import.meta.dirname, '../../../dist/src/runner/drivers/drivers.js')).href;
type RunDriver = typeof import('../../../src/runner/drivers/drivers.js').runDriver;

/** What is built. */
export interface BenchBuild {
  readonly source: Pick<BuildPayloadDto, 'source'>['source'] | Buffer;
  /** What the API sends instead of the announced archive. */
  readonly archive?: Buffer;
  readonly environment?: Record<string, string>;
  readonly secrets?: Record<string, string>;
  readonly isDefaultBranch?: boolean;
  readonly noCache?: boolean;
  /** Default: `none`. */
  readonly cacheKey?: string;
  readonly platform?: BuildPayloadDto['build']['platform'];
  /** Of a native build: default `debug`. */
  readonly type?: string;
  readonly certificate?: BuildPayloadDto['certificate'];
  readonly configuration?: BuildPayloadDto['configuration'];
  readonly appId?: string;
  readonly appType?: BuildPayloadDto['app']['type'];
  readonly signal?: AbortSignal;
  /** Options that differ from the defaults. */
  readonly options?: Partial<BuildOptions>;
}

/** What became of it. */
export interface BenchResult {
  readonly files: readonly BuiltFile[];
  readonly error: unknown;
  readonly log: string;
  readonly reports: readonly UpdateRunnerBuildDto[];
  readonly folders: JobFolders;
  readonly sandbox: JobSandbox;
}

/** Makes builds without an API: one folder for caches, and one for each job. */
export class BuildBench {
  private constructor(
    readonly root: string,
    private readonly openSandbox: (folders: JobFolders) => Promise<JobSandbox>,
    private readonly signing: Pick<Sandbox, 'openSigning'>,
  ) {}

  /** @param openSandbox default: no isolation @param signing the same */
  static async create(
    openSandbox: (folders: JobFolders) => Promise<JobSandbox> = (folders) =>
      Promise.resolve(new PlainSandbox(folders)),
    signing: Pick<Sandbox, 'openSigning'> = new NoSandbox({ npmRegistry: null, memoryMiB: 1024 }),
  ): Promise<BuildBench> {
    return new BuildBench(await temporaryFolder(), openSandbox, signing);
  }

  get cacheDir(): string {
    return join(this.root, 'caches');
  }

  async build(build: BenchBuild): Promise<BenchResult> {
    const { runDriver } = (await import(BUILT)) as { runDriver: RunDriver };
    const folders = await this.makeFolders();
    const sandbox = await this.openSandbox(folders);
    const reports: UpdateRunnerBuildDto[] = [];
    const chunks: Buffer[] = [];
    const options = {
      cacheDir: this.cacheDir,
      cacheMiB: 2048,
      nodeDir: null,
      nodeDownloads: false,
      storeDir: join(this.root, 'tools'),
      toolRegistry: 'http://127.0.0.1:9/',
      androidHome: null,
      jdkDir: null,
      xcodeDir: '/Applications',
      toolsDir: null,
      signingDir: '/nonexistent',
      memoryMiB: 2048,
      gitSubmodules: false,
      gitLfs: null,
    };
    const result = runDriver(
      {
        payload: payloadOf(build),
        folders,
        sandbox,
        log: {
          write: (chunk) => void chunks.push(Buffer.from(chunk)),
          line: (text) => void chunks.push(Buffer.from(`${text}\n`)),
        },
        signal: build.signal ?? new AbortController().signal,
        openSigning: (tools) => this.signing.openSigning(folders, tools),
        openSource: () => Promise.resolve(Readable.from([archiveOf(build)])),
        report: (values) => {
          reports.push(values);
          return Promise.resolve();
        },
      },
      { ...options, ...build.options },
    );
    const [files, error] = await result.then(
      (value) => [value, null] as const,
      (thrown: unknown) => [[], thrown] as const,
    );
    return { files, error, log: Buffer.concat(chunks).toString(), reports, folders, sandbox };
  }

  private async makeFolders(): Promise<JobFolders> {
    const root = join(this.root, 'jobs', randomUUID());
    const at = (name: string): string => join(root, name);
    const folders = { repo: at('repo'), home: at('home'), cache: at('cache'), artifacts: at('artifacts') };
    await Promise.all(Object.values(folders).map((folder) => mkdir(folder, { recursive: true })));
    return { root, ...folders };
  }
}

/** What the API sends for a build. */
export function payloadOf(build: BenchBuild): BuildPayloadDto {
  const { source, environment = {}, secrets = {}, isDefaultBranch = false, platform = 'web' } = build;
  const git = !Buffer.isBuffer(source) && source.type === 'git' ? source : null;
  return {
    job: {
      id: randomUUID(),
      kind: 'build',
      platform,
      stack: 'macos-tahoe',
      attempt: 1,
      timeoutSeconds: 3600,
    },
    app: { id: build.appId ?? 'shop', name: 'Shop', type: build.appType ?? 'capacitor' },
    build: {
      id: randomUUID(),
      numberAsString: '1',
      platform,
      type: platform === 'web' ? null : (build.type ?? 'debug'),
      gitRef: git?.ref ?? null,
      gitCommitSha: git?.commitSha ?? null,
      isDefaultBranch,
      cacheKey: build.cacheKey ?? 'none',
      mayWriteCache: isDefaultBranch,
      noCache: build.noCache ?? false,
    },
    source: Buffer.isBuffer(source) ? archiveSource(source) : source,
    environment: { CI: 'true', CI_BUILD_NUMBER: '1', ...environment },
    secrets,
    certificate: build.certificate ?? null,
    configuration: build.configuration ?? null,
    masks: Object.values(secrets),
  };
}

/** The source of a build, if it is an archive. */
export function archiveOf({ archive, source }: BenchBuild): Buffer {
  return archive ?? (Buffer.isBuffer(source) ? source : Buffer.alloc(0));
}

/** The source that a zip is, as the API describes it. */
export function archiveSource(bytes: Buffer): Extract<BuildPayloadDto['source'], { type: 'archive' }> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { type: 'archive', downloadPath: '/v1/runner/job/source', sizeInBytes: bytes.length, sha256 };
}

/** The texts of a zip by path. */
export async function readZip(path: string): Promise<Record<string, string>> {
  const zip = await fromBufferPromise(await readFile(path));
  const texts: Record<string, string> = {};
  for await (const entry of zip.eachEntry()) {
    texts[entry.fileName] = (await buffer(await zip.openReadStreamPromise(entry))).toString();
  }
  return texts;
}
