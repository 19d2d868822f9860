import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withInstance } from './instance.ts';
import { awaitVariants, fetchDelta, fetchFiles, fetchZip, type Transfer } from './transfer/client.ts';
import { Publisher } from './transfer/publisher.ts';
import { buildTwice, createStarter, type TwoBuilds } from './transfer/starter.ts';

/**
 * `npm run bench:transfer`: what devices download of a public framework starter, at first and after a change of one
 * component, in each of the forms that Slipway serves. npm fetches the starter. docs/performance.md has the figures.
 */

async function measure(
  publisher: Publisher,
  { first, second }: TwoBuilds,
): Promise<Record<string, Transfer>> {
  const [zip, nextZip] = [await publisher.zip(first), await publisher.zip(second)];
  const [files, nextFiles] = [await publisher.manifest(first), await publisher.manifest(second)];
  for (const bundle of [files, nextFiles]) await awaitVariants(bundle);
  return {
    'first: zip': await fetchZip(zip),
    'first: files': await fetchFiles(files, 'identity'),
    'first: files in Brotli': await fetchFiles(files, 'br'),
    'update: zip': await fetchZip(nextZip),
    'update: files': await fetchFiles(nextFiles, 'identity', files),
    'update: files in Brotli': await fetchFiles(nextFiles, 'br', files),
    'update: delta': await fetchDelta(nextFiles, files),
  };
}

const folder = await mkdtemp(join(tmpdir(), 'slipway-bench-'));
try {
  const starter = await createStarter(folder);
  await withInstance(async ({ origin, token }) => {
    const publisher = new Publisher(origin, token);
    for (const withVendorFile of [false, true]) {
      await publisher.createApp();
      const builds = await buildTwice(starter, withVendorFile);
      console.log(
        `${builds.versions}; packages ${withVendorFile ? 'in a file of their own' : 'as the starter does'}`,
      );
      console.table(await measure(publisher, builds));
    }
  });
} finally {
  await rm(folder, { recursive: true, force: true });
}
