import { hash } from 'node:crypto';
import fc from 'fast-check';
import {
  type Absent,
  buildFolder,
  type BundleFolder,
  type ManifestItem,
} from '../../../test/support/devices/bundle-folder.js';
import { MANIFEST_HREF } from '../bundle-content/href.js';
import type { ManifestItem as Item } from './manifest.js';
import { toNamedManifest } from './named-manifest.js';
import { findUnsafeReuse } from './unsafe-reuse.js';

/*
 * Whatever a device has run before, it ends up with the files that were published. Chains of bundles are played with the
 * rules of the plugins and of the server, without either of them.
 */

/** `generated zip`: of an unsigned bundle, for a device that runs none. */
type Kind = 'zip' | 'zip with manifest' | 'plain' | 'unsigned' | 'generated zip' | 'signed';

interface Release {
  readonly kind: Kind;
  readonly files: ReadonlyMap<string, string>;
}

const files = fc
  .uniqueArray(
    fc.tuple(
      fc.constantFrom('a.js', 'b.js', 'c/d.json', 'e.css'),
      // Few contents, so that files exchange and copy them.
      fc.constantFrom('', '{}', 'x'),
    ),
    { selector: ([href]) => href, minLength: 1 },
  )
  .map((entries) => new Map([...entries, ['index.html', '<html>']]));

const release = (...kinds: Kind[]): fc.Arbitrary<Release> =>
  fc.record({ kind: fc.constantFrom(...kinds), files });

const chain = fc.record({
  builtIn: fc.option(release('zip', 'zip with manifest')),
  // Manifests were offered as they were uploaded before there were named ones.
  earlier: fc.array(release('plain', 'zip', 'zip with manifest'), { maxLength: 1 }),
  later: fc.array(release('zip', 'zip with manifest', 'unsigned', 'generated zip', 'signed'), {
    minLength: 2,
    maxLength: 3,
  }),
  absent: fc.constantFrom<Absent>('download', 'skip', 'fail'),
});

const itemsOf = ({ files }: Release): Item[] =>
  [...files].map(([href, content]) => ({
    href,
    checksum: hash('sha256', content),
    sizeInBytes: Buffer.byteLength(content),
  }));
const plainOf = (of: Release): Buffer => Buffer.from(JSON.stringify(itemsOf(of)));
const namedOf = (of: Release): Buffer => Buffer.from(toNamedManifest(itemsOf(of)));
const decode = (manifest: Buffer): ManifestItem[] => JSON.parse(manifest.toString()) as ManifestItem[];
const contentOf = (folder: BundleFolder): Map<string, string> =>
  new Map(
    [...folder].filter(([href]) => href !== MANIFEST_HREF).map(([href, bytes]) => [href, bytes.toString()]),
  );

const isSame = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean =>
  one.size === other.size && [...one].every(([href, content]) => other.get(href) === content);

/** Unpacks a zip, or the bundle that the app was installed with. */
function unpacked(of: Release): BundleFolder {
  const folder = new Map<string, Buffer>(
    [...of.files].map(([href, content]) => [href, Buffer.from(content)]),
  );
  if (of.kind === 'zip with manifest') folder.set(MANIFEST_HREF, plainOf(of));
  if (of.kind === 'generated zip') folder.set(MANIFEST_HREF, namedOf(of));
  return folder;
}

/** Whether the server keeps a release from a device that runs another one. */
function isWithheld(next: Release, running: Release | null, absent: Absent): boolean {
  if (next.kind !== 'signed' || running === null) return false;
  if (['zip', 'unsigned', 'generated zip'].includes(running.kind)) return false;
  const reuse = findUnsafeReuse(itemsOf(next), itemsOf(running));
  return reuse?.kind === 'content' || (reuse?.kind === 'absent' && absent !== 'download');
}

function install(next: Release, folder: BundleFolder, absent: Absent): Promise<BundleFolder> | BundleFolder {
  if (['zip', 'zip with manifest', 'generated zip'].includes(next.kind)) return unpacked(next);
  const manifest = next.kind === 'unsigned' ? namedOf(next) : plainOf(next);
  const download = (href: string): Promise<Buffer> =>
    Promise.resolve(Buffer.from(next.files.get(href) ?? '?'));
  return buildFolder(folder, manifest, decode, absent, download);
}

it('ends with what was published, over 10,000 chains of bundles', async () => {
  let withheld = 0;
  let installed = 0;
  await fc.assert(
    fc.asyncProperty(chain, async ({ builtIn, earlier, later, absent }) => {
      let folder: BundleFolder = builtIn === null ? new Map() : unpacked(builtIn);
      let running: Release | null = builtIn;
      for (const next of earlier) {
        // Whatever went wrong before the upgrade.
        folder = await install(next, folder, 'skip');
        running = next;
      }
      for (const next of later) {
        // The server does not know what is packed into the app.
        const isBlind =
          next.kind === 'signed' && running === builtIn && builtIn?.kind === 'zip with manifest';
        // What a plain manifest has damaged, a signed one cannot know.
        const isDamaged = running !== null && !isSame(contentOf(folder), running.files);
        if (isBlind || (isDamaged && next.kind === 'signed')) continue;
        if (isWithheld(next, running, absent)) {
          withheld++;
          continue;
        }
        folder = await install(next, folder, absent);
        running = next;
        installed++;
        expect(contentOf(folder)).toEqual(next.files);
      }
    }),
    { numRuns: 10_000 },
  );
  expect(installed).toBeGreaterThan(10_000);
  expect(withheld).toBeGreaterThan(100);
});

it('would not without named manifests', async () => {
  const first: Release = {
    kind: 'plain',
    files: new Map([
      ['a.js', ''],
      ['b.js', 'x'],
      ['index.html', ''],
    ]),
  };
  const second: Release = {
    kind: 'plain',
    files: new Map([
      ['a.js', ''],
      ['b.js', ''],
      ['index.html', ''],
    ]),
  };
  const folder = await install(second, await install(first, new Map(), 'download'), 'download');
  expect(contentOf(folder).get('b.js')).toBe('x');
});
