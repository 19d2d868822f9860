import fc from 'fast-check';
import { missingFiles } from './deltas.service.js';

const item = (href: string, content: string) => ({
  href,
  checksum: content.padStart(64, '0'),
  sizeInBytes: content.length,
});

describe('missingFiles', () => {
  it('leaves out what the other bundle has, wherever it is there', () => {
    const from = [item('index.html', 'a'), item('old.js', 'b')];
    const to = [item('index.html', 'a'), item('renamed.js', 'b'), item('app.js', 'c'), item('a.js', 'd')];
    expect(missingFiles(to, from).map(({ href }) => href)).toEqual(['a.js', 'app.js']);
  });

  it('has every path of a content that is missing', () => {
    expect(missingFiles([item('b', 'x'), item('a', 'x')], []).map(({ href }) => href)).toEqual(['a', 'b']);
  });

  it('and the other bundle together are the bundle, in whatever order the manifests are', () => {
    const items = fc.uniqueArray(fc.tuple(fc.string(), fc.constantFrom('1', '2', '3', '4')), {
      selector: ([href]) => href,
    });
    fc.assert(
      fc.property(items, items, (a, b) => {
        const to = a.map(([href, content]) => item(href, content));
        const from = b.map(([href, content]) => item(href, content));
        const missing = missingFiles(to, from);
        const known = new Set([...from, ...missing].map(({ checksum }) => checksum));
        expect(to.every(({ checksum }) => known.has(checksum))).toBe(true);
        expect(missingFiles(to.toReversed(), from.toReversed())).toEqual(missing);
        expect(missingFiles(to, to)).toEqual([]);
      }),
    );
  });
});
