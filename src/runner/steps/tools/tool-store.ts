import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { BuildOptions } from '../build-options.js';
import { StepError } from '../build-run.js';

export type ToolName = 'npm' | 'pnpm' | 'yarn' | 'bun';

/** A program for builds, of an exact version. */
export interface StoredTool {
  readonly version: string;
  /** Folder of programs for PATH, as builds see it. */
  readonly bin: string;
}

/** Programs for builds, of exact versions. */
export class ToolStore {
  constructor(
    private readonly options: Pick<BuildOptions, 'toolsDir'>,
    _nodeVersion: string,
    _signal: AbortSignal,
  ) {}

  /**
   * @throws StepError (`install` or `configuration`) when it is neither in RUNNER_TOOLS_DIR nor to be had from the registry:
   *   names the tool, the version and `declaredBy`
   */
  async provide(
    name: ToolName,
    version: string,
    declaredBy: string,
    _onNote: (line: string) => void,
  ): Promise<StoredTool> {
    const bin = join(this.options.toolsDir ?? '/nonexistent', name, version, 'bin');
    await access(join(bin, name)).catch(() => {
      throw new StepError(
        'configuration',
        `This build needs ${name} ${version}, as ${declaredBy} says, and the runner does not have it: its operator can put it into RUNNER_TOOLS_DIR, as ${name}/${version}.`,
      );
    });
    return { version, bin };
  }
}
