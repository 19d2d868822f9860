import type { BuildStep } from '../../../../../src/runner/steps/build-run.js';
import type { Files } from '../projects.js';
import type { StaticRegistry } from '../static-registry.js';

/** A small repository, and what its builds must do. */
export interface Repository {
  readonly name: string;
  /** What the registry must have besides the fixtures, such as `pnpm@9.15.9`. */
  readonly tools?: readonly string[];
  readonly files: (registry: StaticRegistry) => Files;
  /** Of the app in `capawesome.config.json`. */
  readonly entry?: Readonly<Record<string, string>>;
  readonly environment?: Record<string, string>;
  readonly expected: Built | Failed;
}

/** Texts of the log, and what was built. */
interface Built {
  readonly log: readonly string[];
  /** Such as `pnpm/9.15.9`; without a version, which one it is depends on the machine. */
  readonly installedBy: string;
  readonly packages: Readonly<Record<string, string>>;
  /** Such as `v22.11.0`; default: any. */
  readonly node?: string;
}

interface Failed {
  readonly log?: readonly string[];
  readonly step: BuildStep;
  readonly message: RegExp;
}
