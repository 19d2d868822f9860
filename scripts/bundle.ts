import { chmodSync, copyFileSync, globSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { builtinModules, createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { build, type Plugin } from 'esbuild';

/*
 * The second step of `npm run build`: joins `dist/src`, as `compile` wrote it, and the libraries to `dist/slipway.js`
 * and `dist/chunks/`. The bundle starts faster and takes less memory than thousands of modules with their comments. What the
 * program imports lazily stays in chunks of its own.
 */
const dist = join(import.meta.dirname, '../dist');
const chunks = join(dist, 'chunks');
const require = createRequire(import.meta.url);

/** They find files of their own by their paths, so they stay packages. */
const PACKAGES = ['pino', 'pino-pretty', 'swagger-ui-dist'];

/**
 * Libraries import packages that are optional and absent, such as drivers of other databases: these stay imports, which
 * fail where the library expects it.
 */
const optionalPackages: Plugin = {
  name: 'optional-packages',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^[^./]/ }, ({ path }) => {
      if (builtinModules.includes(path) || path.startsWith('node:')) return { path, external: true };
      try {
        require.resolve(path);
        return undefined;
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        return code === 'MODULE_NOT_FOUND' ? { path, external: true } : undefined;
      }
    });
  },
};

/**
 * Modules that libraries import at their start and Slipway never uses: TypeORM's drivers of other databases, telephone
 * numbers of class-validator, recurrence rules of pg-boss (all schedules are cron expressions), and character sets of
 * body-parser that it accepts for no body that Slipway reads. They are empty in the bundle, so a server does not keep them
 * in memory.
 */
const UNUSED =
  /node_modules\/(typeorm\/driver\/(?!postgres\/)[\w-]+\/\w+Driver\.js|libphonenumber-js\/max\/index\.js|rrule-temporal\/.+\.js|iconv-lite\/encodings\/tables\/.+\.json)$/;

const unusedModules: Plugin = {
  name: 'unused-modules',
  setup: ({ onLoad }) => {
    onLoad({ filter: /node_modules\/.*\.js(on)?$/ }, ({ path }) =>
      UNUSED.test(path) ? { contents: '', loader: 'empty' } : undefined,
    );
  },
};

/** A `require` that a library made itself would load second copies of packages that the bundle has. */
const OWN_REQUIRE = /^const require = createRequire\(import\.meta\.url\);$/m;

/**
 * A chunk with one other character takes two bytes of memory for each of its characters. esbuild itself escapes strings,
 * but not regular expressions and tagged templates.
 */
const inAscii = (code: string): string =>
  code.replace(/(?<!\\)[^\0-\x7F]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * Lets the bundle see what libraries require, and leaves them out of the source maps, which Node.js keeps in memory:
 * their lines are not ours.
 */
const libraries: Plugin = {
  name: 'libraries',
  setup: ({ onLoad }) => {
    const map = JSON.stringify({ version: 3, sources: [''], mappings: 'AAAA' });
    const comment = `\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString('base64')}`;
    onLoad({ filter: /node_modules\/.*\.[cm]?js$/ }, ({ path }) => ({
      contents: inAscii(readFileSync(path, 'utf8').replace(OWN_REQUIRE, '')) + comment,
      loader: 'js',
    }));
    onLoad({ filter: /dist\/(src|migrations)\/.*\.js$/ }, ({ path }) => ({
      contents: inAscii(readFileSync(path, 'utf8')),
      loader: 'js',
    }));
  },
};

/**
 * Writes the bundle. Chunks of the former one are removed last, so that a program that runs loses them as late as
 * possible.
 */
export async function bundle(): Promise<void> {
  const { metafile } = await build({
    entryPoints: {
      slipway: join(dist, 'src/main.js'),
      // Programs of their own, beside the chunks that start them.
      'chunks/artifact-process': join(dist, 'src/native-builds/artifact-readers/artifact-process.js'),
      'chunks/certificate-process': join(
        dist,
        'src/native-builds/certificate-readers/certificate-process.js',
      ),
      'chunks/lookup-process': join(dist, 'src/common/http/outbound/lookup-process.js'),
      'chunks/unpack-process': join(dist, 'src/runner/steps/source/unpack-process.js'),
    },
    outdir: dist,
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    // ES modules where a library has both: a CommonJS module that is imported lazily would lose its named exports.
    mainFields: ['module', 'main'],
    target: 'node24',
    external: PACKAGES,
    // The registry of `@Type()` that the DTOs use, not another one.
    alias: { 'class-transformer/cjs/storage': 'class-transformer/esm5/storage.js' },
    plugins: [optionalPackages, unusedModules, libraries],
    // Names stay: Nest injects by classes, TypeORM names migrations by them, and stacks show them.
    keepNames: true,
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    sourcemap: 'linked',
    sourcesContent: false,
    // For libraries in CommonJS that require modules of Node.js.
    banner: {
      js: `import { createRequire as createRequireOfBundle } from 'node:module';
const require = createRequireOfBundle(import.meta.url);`,
    },
    metafile: true,
    logLevel: 'warning',
    // The swagger plugin writes the values of an enum beside those of the decorator.
    logOverride: { 'duplicate-object-key': 'silent' },
  });
  for (const file of globSync('{src,migrations}/**/*.{css,sql,svg}', { cwd: dist })) {
    copyFileSync(join(dist, file), join(chunks, basename(file)));
  }
  chmodSync(join(dist, 'slipway.js'), 0o755);
  const written = new Set(Object.keys(metafile.outputs).map((path) => basename(path)));
  for (const name of readdirSync(chunks)) {
    if (/\.js(\.map)?$/.test(name) && !written.has(name)) rmSync(join(chunks, name));
  }
}
