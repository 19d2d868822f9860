import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { before as swaggerPlugin } from '@nestjs/swagger/plugin';
import { type Options, transformFile } from '@swc/core';
import ts from 'typescript';

/*
 * The first step of `npm run build`: compiles `src` and `migrations` to `dist`. It checks no types: `npm run typecheck`
 * does. swc compiles everything but DTOs and controllers, in less than a second. For these, the swagger plugin needs
 * TypeScript, because it writes their types and comments down as documentation.
 */
const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');

/** Files that the swagger plugin reads. */
const DOCUMENTED = /\.(dto|controller)\.ts$/;

/** `nest-cli.json`, which editors and `nest build` read, too. */
interface NestCli {
  readonly compilerOptions: {
    readonly tsConfigPath: string;
    readonly plugins: readonly [{ readonly name: '@nestjs/swagger'; readonly options: object }];
  };
}
const { compilerOptions } = JSON.parse(readFileSync(join(root, 'nest-cli.json'), 'utf8')) as NestCli;
const [{ options: pluginOptions }] = compilerOptions.plugins;

const SWC_OPTIONS: Options = {
  swcrc: false,
  sourceMaps: true,
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
  },
  module: { type: 'es6' },
};

/**
 * Writes `dist/src` and `dist/migrations` from nothing, so that deleted files leave nothing behind.
 *
 * @throws Error when a file cannot be parsed
 */
export async function compile(): Promise<void> {
  for (const folder of ['src', 'migrations']) rmSync(join(dist, folder), { recursive: true, force: true });
  const config = ts.getParsedCommandLineOfConfigFile(
    join(root, compilerOptions.tsConfigPath),
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: fail },
  );
  if (config === undefined) throw new Error(`${compilerOptions.tsConfigPath} is missing.`);
  const isDocumented = (file: string): boolean => DOCUMENTED.test(file);
  await Promise.all(config.fileNames.filter((file) => !isDocumented(file)).map(compileBySwc));
  compileByTypeScript(config.fileNames.filter(isDocumented), config.options);
  for (const file of globSync('{src,migrations}/**/*.{css,sql,svg}', { cwd: root })) {
    mkdirSync(dirname(join(dist, file)), { recursive: true });
    copyFileSync(join(root, file), join(dist, file));
  }
}

async function compileBySwc(file: string): Promise<void> {
  const target = join(dist, file.slice(root.length).replace(/\.ts$/, '.js'));
  const { code, map } = await transformFile(file, { ...SWC_OPTIONS, sourceFileName: file });
  mkdirSync(dirname(target), { recursive: true });
  const name = target.slice(dirname(target).length + 1);
  writeFileSync(target, `${code}\n//# sourceMappingURL=${name}.map\n`);
  writeFileSync(`${target}.map`, map ?? '');
}

function compileByTypeScript(files: string[], options: ts.CompilerOptions): void {
  const program = ts.createProgram({ rootNames: files, options: { ...options, noCheck: true } });
  const transformers = {
    before: [swaggerPlugin({ dtoFileNameSuffix: ['.dto.ts'], ...pluginOptions }, program)],
  };
  for (const file of files) {
    const source = program.getSourceFile(file);
    const errors = program.getSyntacticDiagnostics(source);
    if (errors[0] !== undefined) fail(errors[0]);
    program.emit(source, undefined, undefined, false, transformers);
  }
}

function fail(diagnostic: ts.Diagnostic): never {
  const host = {
    getCanonicalFileName: (path: string) => path,
    getCurrentDirectory: () => root,
    getNewLine: () => '\n',
  };
  throw new Error(ts.formatDiagnostic(diagnostic, host));
}
