import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withInstance } from './instance.ts';
import {
  awaitVariants,
  type Coding,
  codings,
  fetchDelta,
  fetchFiles,
  fetchGeneratedZip,
  fetchZip,
  type Transfer,
} from './transfer/client.ts';
import { buildManyFiles } from './transfer/many-files.ts';
import { Publisher } from './transfer/publisher.ts';
import { buildTwice, createStarter, type TwoBuilds } from './transfer/starter.ts';

/**
 * `npm run bench:transfer`: what devices download of a public framework starter and of an app of 60 files, at first and
 * after a change of one component, in each of the forms that Slipway serves: in the first second after the publication and
 * when its background work is done. npm fetches the starter. docs/performance.md has the figures.
 */

type Transfers = Record<string, Transfer>;

/** The single files in each content coding, at the same time, as in the first second every moment counts. */
async function fetchInAllCodings(what: string, bundle: string, known?: string): Promise<Transfers> {
  const entries = codings.map(
    async (coding: Coding) => [`${what}, ${coding}`, await fetchFiles(bundle, coding, known)] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}

async function measure(publisher: Publisher, { first, second }: TwoBuilds): Promise<Transfers> {
  const zip = await publisher.zip(first);
  const files = await publisher.manifest(first);
  const firstAtOnce = await fetchInAllCodings('first: files at once', files);
  const nextZip = await publisher.zip(second);
  await awaitVariants(files);
  const firstLater = await fetchInAllCodings('first: files later', files);
  const generatedZip = await fetchGeneratedZip(files);
  const nextFiles = await publisher.manifest(second);
  const updateAtOnce = await fetchInAllCodings('update: files at once', nextFiles, files);
  await awaitVariants(nextFiles);
  return {
    'first: uploaded zip': await fetchZip(zip),
    ...firstAtOnce,
    ...firstLater,
    ...(generatedZip === null ? {} : { 'first: generated zip': generatedZip }),
    'update: uploaded zip': await fetchZip(nextZip),
    ...updateAtOnce,
    ...(await fetchInAllCodings('update: files later', nextFiles, files)),
    'update: delta': await fetchDelta(nextFiles, files),
  };
}

const folder = await mkdtemp(join(tmpdir(), 'slipway-bench-'));
try {
  const starter = await createStarter(folder);
  await withInstance(async ({ origin, token }) => {
    const publisher = new Publisher(origin, token);
    const print = async (title: string, builds: TwoBuilds): Promise<void> => {
      await publisher.createApp();
      console.log(`${builds.versions}; ${title}`);
      console.table(await measure(publisher, builds));
    };
    await print('packages as the starter does', await buildTwice(starter, false));
    await print('packages in a file of their own', await buildTwice(starter, true));
    await print('one component is changed', await buildManyFiles());
  });
} finally {
  await rm(folder, { recursive: true, force: true });
}
