import { constants, readFileSync } from 'node:fs';
import { access, chmod, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFolder } from '../../folders/remove-folder.js';
import type { BuildOptions } from '../build-options.js';
import { StepError } from '../build-run.js';
import { inStep } from '../machine-errors.js';
import { fits } from './node/node-ranges.js';
import { installPackage } from './store/install-package.js';
import {
  PackageRegistry,
  type PublishedPackage,
  RegistryError,
  type RegistryLimits,
} from './store/package-registry.js';
import { PackageError } from './store/unpack-package.js';
import { VersionFolder } from './store/version-folder.js';
import { writePackagePrograms, writeProgram } from './store/write-programs.js';

export type ToolName = 'npm' | 'pnpm' | 'yarn' | 'bun';

/** Programs for builds, of exact versions. */
export interface StoredTool {
  readonly version: string;
  /** Folder of programs for PATH, as builds see it. */
  readonly bin: string;
}

const EXACT = /^\d{1,9}\.\d{1,9}\.\d{1,9}(-[0-9A-Za-z.-]{1,100})?$/;
/** Of the version of pnpm that brings its own Node.js. */
const EXE = '+exe';
/** File of a stored version: the Node.js that it needs. */
const ENGINES = 'engines';
/** File of a stored version: the SHA-512 of its package in Base64, if projects can name it. */
const DIGEST = 'sha512';

/** The packages of a tool. */
interface Recipe {
  readonly main: PublishedPackage;
  /** Has the program `pnpm` for this platform, which belongs into the main package. */
  readonly native?: PublishedPackage;
  readonly suffix?: typeof EXE;
}

/**
 * Package managers for builds. What the operator has put into `RUNNER_TOOLS_DIR` wins; everything else comes from the
 * registry of the operator alone, whatever a project says, because all builds share it.
 */
export class ToolStore {
  private readonly registry: PackageRegistry;
  private readonly versions: VersionFolder;

  /**
   * @param nodeVersion of the build, such as `24.1.0`
   * @param signal of the build
   */
  constructor(
    private readonly options: Pick<BuildOptions, 'storeDir' | 'toolsDir' | 'toolRegistry'>,
    private readonly nodeVersion: string,
    private readonly signal: AbortSignal,
    limits?: Partial<RegistryLimits>,
  ) {
    this.registry = new PackageRegistry(options.toolRegistry, signal, limits);
    this.versions = new VersionFolder(options.storeDir);
  }

  /**
   * Provides one version of a tool.
   *
   * @param declaredBy where the project asks for it, such as `packageManager in package.json`
   * @param onNote gets a line when it was fetched
   * @param sha512 what the project expects of the package, in hexadecimal; `null`: anything. What the operator has put into
   *   RUNNER_TOOLS_DIR is not compared
   * @throws StepError when it is neither in RUNNER_TOOLS_DIR nor to be had from the registry: names the tool, the version and
   *   `declaredBy`; also when it is another one than the project expects
   */
  async provide(
    name: ToolName,
    version: string,
    declaredBy: string,
    onNote: (line: string) => void,
    sha512: string | null = null,
  ): Promise<StoredTool> {
    if (!EXACT.test(version)) {
      throw new StepError(
        'configuration',
        `${declaredBy} names ${name} ${JSON.stringify(version.slice(0, 50))}, which is no exact version, such as 10.28.1.`,
      );
    }
    try {
      const folder = await inStep('configuration', async () => {
        return (await this.find(name, version)) ?? (await this.fetch(name, version, onNote));
      });
      const found = await readFile(join(folder, DIGEST), 'utf8').catch(() => null);
      if (sha512 !== null && found !== null && Buffer.from(found, 'base64').toString('hex') !== sha512) {
        throw new StepError(
          'configuration',
          `${declaredBy} expects ${name} ${version} with another SHA-512 than the one of ${this.registry.url}: correct the part behind "+", or leave it out.`,
        );
      }
      return { version, bin: join(folder, 'bin') };
    } catch (error) {
      if (!(error instanceof RegistryError) && !(error instanceof PackageError)) throw error;
      throw new StepError(
        'configuration',
        `This build needs ${name} ${version}, as ${declaredBy} says, and the runner cannot get it: ${error.message}. Its operator can put it into RUNNER_TOOLS_DIR, as ${name}/${version}.`,
      );
    }
  }

  private async find(name: ToolName, version: string): Promise<string | null> {
    const own = join(this.options.toolsDir ?? '', name, version);
    const isOwn =
      this.options.toolsDir !== null &&
      (await access(join(own, 'bin', name), constants.X_OK).then(
        () => true,
        () => false,
      ));
    if (isOwn) return own;
    for (const suffix of ['', EXE]) {
      const folder = await this.versions.find(name, version + suffix);
      if (folder === null) continue;
      const engines = await readFile(join(folder, ENGINES), 'utf8').catch(() => null);
      if (fits(this.nodeVersion, engines)) return folder;
    }
    return null;
  }

  private async fetch(name: ToolName, version: string, onNote: (line: string) => void): Promise<string> {
    const start = performance.now();
    const recipe = await this.recipeOf(name, version);
    const folder = await this.versions.add(name, version + (recipe.suffix ?? ''), (draft) =>
      this.install(name, recipe, draft),
    );
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    onNote(`Fetched ${name} ${version} from ${this.registry.url} in ${seconds} s`);
    return folder;
  }

  private async recipeOf(name: ToolName, version: string): Promise<Recipe> {
    if (name === 'bun') return { main: await this.registry.find(bunPackage(), version) };
    const isModernYarn = name === 'yarn' && !/^[01]\./.test(version);
    const main = await this.registry.find(isModernYarn ? '@yarnpkg/cli-dist' : name, version);
    if (name !== 'pnpm') return { main };
    // From version 12 on, pnpm is a program of the platform.
    const native = await this.nativeOf(main);
    if (native !== null) return { main, native };
    if (fits(this.nodeVersion, main.nodeRange)) return { main };
    const exe = await this.registry.find('@pnpm/exe', version);
    const program = await this.nativeOf(exe);
    if (program !== null) return { main: exe, native: program, suffix: EXE };
    throw new RegistryError(
      `it needs Node.js ${main.nodeRange}, this build uses ${this.nodeVersion}, and ${this.registry.url} has no pnpm for this machine that brings its own`,
    );
  }

  /** The package among the optional dependencies that is for this platform. */
  private async nativeOf({ optional }: PublishedPackage): Promise<PublishedPackage | null> {
    const platform = process.platform === 'darwin' ? '(?:darwin|macos)' : process.platform;
    const pattern = new RegExp(`^@pnpm/(?:exe\\.)?${platform}-${process.arch}$`);
    const [name, version] = Object.entries(optional).find(([key]) => pattern.test(key)) ?? [];
    return name === undefined ? null : this.registry.find(name, String(version));
  }

  private async install(name: ToolName, { main, native }: Recipe, draft: string): Promise<void> {
    const folder = join(draft, 'package');
    await installPackage(this.registry, main, folder, this.signal);
    if (main.name === name) await writeFile(join(draft, DIGEST), main.sha512 ?? '');
    if (name === 'bun') {
      await writeNative(draft, 'package/bin/bun', { bun: '', bunx: ' x' });
    } else if (native !== undefined) {
      const other = join(draft, 'native');
      await installPackage(this.registry, native, other, this.signal);
      // It looks beside itself for what else pnpm has.
      await rename(join(other, 'pnpm'), join(folder, 'pnpm')).catch(() => {
        throw new PackageError(`its package ${native.name} has no program`);
      });
      await removeFolder(other);
      await writeNative(draft, 'package/pnpm', { pnpm: '', pn: '', pnpx: ' dlx', pnx: ' dlx' });
    } else {
      await writePackagePrograms(draft, 'package');
      if (name === 'pnpm') await writeFile(join(draft, ENGINES), main.nodeRange ?? '');
    }
  }
}

/** @param programs what follows the program, by their names */
async function writeNative(
  draft: string,
  path: string,
  programs: Readonly<Record<string, string>>,
): Promise<void> {
  await chmod(join(draft, path), 0o755).catch(() => {
    throw new PackageError(`its package has no ${path.replace(/^package\//, '')}`);
  });
  for (const [name, after] of Object.entries(programs)) await writeProgram(draft, name, { path, after });
}

/** The package for this machine. The usual one needs a processor with AVX2. */
function bunPackage(): string {
  const arch = process.arch === 'arm64' ? 'aarch64' : process.arch;
  const isOld =
    process.platform === 'linux' &&
    process.arch === 'x64' &&
    !/\bavx2\b/.test(readFileSync('/proc/cpuinfo', 'utf8'));
  return `@oven/bun-${process.platform}-${arch}${isOld ? '-baseline' : ''}`;
}
