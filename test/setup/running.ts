import type { EmbeddedPostgres } from '../../src/embedded-postgres/embedded-postgres.js';
import type { ServerProcess } from './server.ts';

/** What the global setup has started and the teardown stops. */
export interface Running {
  readonly postgres: EmbeddedPostgres;
  readonly server: ServerProcess;
  readonly folder: string;
}

const holder = globalThis as { slipwayTests?: Running };

/** Jest loads setup and teardown as separate modules of one process. */
export function keepForTeardown(running: Running): void {
  holder.slipwayTests = running;
}

/** @returns what was kept, if the setup got that far */
export function takeForTeardown(): Running | undefined {
  return holder.slipwayTests;
}
