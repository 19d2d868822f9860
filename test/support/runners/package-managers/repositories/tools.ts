/** Of the machine that the tests run on, where their names have no more than the platform and the processor. */
const platform = `${process.platform}-${process.arch}`;

/** Versions of package managers that repositories of the tests ask for. */
export const tools = {
  npm: 'npm@11.6.2',
  pnpm8: 'pnpm@8.15.9',
  pnpm9: 'pnpm@9.15.9',
  pnpm10: 'pnpm@10.28.1',
  pnpm11: 'pnpm@11.9.0',
  pnpm12: 'pnpm@12.4.2',
  /** The program of pnpm 12. */
  pnpm12Program: `@pnpm/exe.${platform}@12.4.2`,
  yarn1: 'yarn@1.22.22',
  yarn4: '@yarnpkg/cli-dist@4.12.0',
  bun: 'bun@1.3.5',
  bunProgram: `@oven/bun-${platform.replace('arm64', 'aarch64')}@1.3.5`,
} as const;
