import { hash } from 'node:crypto';
import { MANIFEST_HREF } from '../bundle-content/href.js';
import { findCarriedManifest } from './carried-manifest.js';
import { type ManifestItem, parseManifest } from './manifest.js';
import { toNamedManifest } from './named-manifest.js';

type Files = Readonly<Record<string, string>>;

const itemsOf = (files: Files): ManifestItem[] =>
  Object.entries(files).map(([href, content]) => ({
    href,
    checksum: hash('sha256', content),
    sizeInBytes: Buffer.byteLength(content),
  }));

const APP = { 'index.html': '<html>', 'js/a.js': '1' };
const INNER = `www/${MANIFEST_HREF}`;

/** What devices have of a bundle with these files. */
const carriedBy = (files: Files) =>
  findCarriedManifest(itemsOf(files), (href) => Promise.resolve(Buffer.from(files[href] ?? '')));

/** The app in the folder www. */
const inFolder = (manifest?: string): Files => ({
  'www/index.html': '<html>',
  'www/js/a.js': '1',
  ...(manifest === undefined ? {} : { [INNER]: manifest }),
});

it.each<[string, Files, ManifestItem[] | null]>([
  ['an index.html at the root', APP, null],
  ['others, too', { ...APP, ...inFolder('{}') }, null],
  ['one in a folder', inFolder(), []],
  ['a manifest beside it', inFolder(JSON.stringify(itemsOf(APP))), itemsOf(APP)],
  ['one that lists some files', inFolder(JSON.stringify(itemsOf(APP).slice(0, 1))), itemsOf(APP).slice(0, 1)],
  ['one elsewhere', { ...inFolder(), [`www/js/${MANIFEST_HREF}`]: '{}' }, []],
  ['several', { ...inFolder(), 'app/index.html': '' }, []],
])('finds what devices have of a bundle with %s', async (_what, files, expected) => {
  expect(await carriedBy(files)).toEqual(expected);
});

it.each<[string, Files]>([
  ['is unreadable', inFolder('www')],
  ['lists a file with other content', inFolder(JSON.stringify(itemsOf({ ...APP, 'js/a.js': '2' })))],
  ['lists a file that is not there', inFolder(JSON.stringify(itemsOf({ ...APP, 'b.js': '' })))],
  ['lists files from the root', inFolder(JSON.stringify(itemsOf(inFolder())))],
  ['is beside one of several', { ...inFolder(JSON.stringify(itemsOf(APP))), 'app/index.html': '' }],
  // Of all manifests, only such a one could have checksums of a named manifest that the server offers.
  ['is a named one', inFolder(toNamedManifest(itemsOf(APP)))],
])('refuses one that %s', async (_what, files) => {
  await expect(carriedBy(files)).rejects.toMatchObject({ status: 400, code: 'invalid_manifest' });
});

it('names no checksum that a named manifest has', async () => {
  const carried = await carriedBy(inFolder(JSON.stringify(itemsOf(APP))));
  const named = parseManifest(toNamedManifest(itemsOf(APP)));
  const known = new Set(carried?.map(({ checksum }) => checksum));
  expect(named.filter(({ checksum }) => known.has(checksum))).toEqual([]);
});
