import { ScrubberService } from '../../storage/blobs/scrubber.service.js';
import { command } from '../command.js';
import { withApplication } from '../with-application.js';

/** `slipway storage scrub`: reads every stored file and compares it with its checksum. See docs/operations.md. */
export const storageScrub = command({
  options: {},
  details: 'Lists the damaged files. The exit code is 1 if there are any.',
  run: async () => {
    const damaged = await withApplication(
      (context) => scrub(context.get(ScrubberService, { strict: false })),
      'fatal',
    );
    if (damaged > 0) process.exitCode = 1;
  },
});

/** @returns how many files are damaged */
async function scrub(scrubber: ScrubberService): Promise<number> {
  let files = 0;
  let bytes = 0;
  let damaged = 0;
  for await (const { id, sha256, sizeInBytes, problem } of scrubber.scrubAll()) {
    files++;
    bytes += sizeInBytes;
    if (problem === null) continue;
    damaged++;
    console.log(`damaged file ${id} (${problem}), SHA-256 ${sha256}`);
  }
  console.log(`Verified ${files} files of ${bytes} bytes: ${damaged} are damaged.`);
  return damaged;
}
