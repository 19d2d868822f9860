/** Of the machine that the tests run on, where their names have no more than the platform and the processor. */
const platform = `${process.platform}-${process.arch}`;

/** Versions of package managers that repositories of the tests ask for. */
export const tools = {
  npm: 'npm@11.6.2',
  pnpm8: 'pnpm@8.15.9',
  pnpm9: 'pnpm@9.15.9',
  pnpm10: 'pnpm@10.34.9',
  pnpm11: 'pnpm@11.28.11',
  pnpm12: 'pnpm@12.4.2',
  /** The program of pnpm 12. */
  pnpm12Program: `@pnpm/exe.${platform}@12.4.2`,
  yarn1: 'yarn@1.22.22',
  yarn4Before: '@yarnpkg/cli-dist@4.13.0',
  yarn4: '@yarnpkg/cli-dist@4.18.1',
  bun: 'bun@1.4.5',
  bunProgram: `@oven/bun-${platform.replace('arm64', 'aarch64')}@1.4.5`,
} as const;

/** As `packageManager` names a version. @param spec such as `pnpm@9.15.9` */
export const declaration = (spec: string): string => spec.replace('@yarnpkg/cli-dist', 'yarn');

/** As the log does. @param spec such as `pnpm@9.15.9` */
export const label = (spec: string): string => declaration(spec).replace('@', ' ');

/** As a manager calls itself. @param spec such as `pnpm@9.15.9` */
export const agent = (spec: string): string => declaration(spec).replace('@', '/');
