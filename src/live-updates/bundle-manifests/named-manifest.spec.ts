import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { toNamedManifest } from './named-manifest.js';
import { parseManifest } from './manifest.js';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const item = (href: string, content: string) => ({
  href,
  checksum: sha256(content),
  sizeInBytes: Buffer.byteLength(content),
});

it('names the files of the manifest in its order, with their sizes', () => {
  const items = [item('index.html', '<html>'), item('a b/ü.js', ''), item('a.js', '1')];
  const named = JSON.parse(toNamedManifest(items)) as unknown[];
  expect(named).toEqual(
    items.map(({ href, checksum, sizeInBytes }) => ({
      checksum: sha256(`${checksum}\n${href}`),
      href,
      sizeInBytes,
    })),
  );
  expect(parseManifest(JSON.stringify(named))).toEqual(named);
});

it('has equal checksums only for the same content at the same path', () => {
  const file = fc.record({ href: fc.constantFrom('a', 'b', 'b/c'), content: fc.constantFrom('', '1', '2') });
  fc.assert(
    fc.property(file, file, (one, other) => {
      const [a, b] = [one, other].map(
        ({ href, content }) =>
          (JSON.parse(toNamedManifest([item(href, content)])) as { checksum: string }[])[0],
      );
      expect(a!.checksum === b!.checksum).toBe(one.href === other.href && one.content === other.content);
    }),
  );
});
