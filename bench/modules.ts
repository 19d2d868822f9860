import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const ROOT = join(import.meta.dirname, '..');

/**
 * Compares code of the working tree with that of the commit behind `--against`, in one process. Ends the process when there
 * is none.
 *
 * @param name of the benchmark
 * @param exported what the code is: exported names by their files below `src`
 * @param compare gets it from the working tree, twice, because what differs between the two is the error of the measurement,
 * and from the commit, and the name of that
 */
export async function compareModules<M>(
  name: string,
  exported: Readonly<Record<string, string>>,
  compare: (programs: readonly [now: M, again: M, then: M], commit: string) => Promise<void>,
): Promise<void> {
  const { values } = parseArgs({ options: { against: { type: 'string' } } });
  if (values.against === undefined) {
    console.error(`Name the commit to compare with: npm run bench:${name} -- --against <commit>`);
    process.exit(1);
  }
  // Within the checkout, so that its packages are found.
  mkdirSync(join(ROOT, 'bench/results'), { recursive: true });
  const folder = mkdtempSync(join(ROOT, `bench/results/${name}-`));
  const moduleOf = async (sources: string, outfile: string): Promise<M> => {
    const lines = Object.entries(exported).map(
      ([path, names]) => `export { ${names} } from ${JSON.stringify(join(sources, 'src', path))};`,
    );
    await build({
      stdin: { contents: lines.join('\n'), resolveDir: sources, loader: 'ts' },
      tsconfigRaw: {},
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
    });
    return (await import(outfile)) as M;
  };
  try {
    const archive = execFileSync('git', ['archive', values.against, 'src'], {
      cwd: ROOT,
      maxBuffer: 256 * 1024 ** 2,
    });
    execFileSync('tar', ['-x', '-C', folder], { input: archive });
    const then = await moduleOf(folder, join(folder, 'then.mjs'));
    const now = await moduleOf(ROOT, join(folder, 'now.mjs'));
    await compare([now, await moduleOf(ROOT, join(folder, 'again.mjs')), then], values.against);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
