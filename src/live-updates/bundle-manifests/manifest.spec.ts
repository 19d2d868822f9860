import { jest } from '@jest/globals';
import fc from 'fast-check';
import { AppError } from '../../common/errors/app-error.js';
import { MANIFEST_HREF } from '../bundle-content/href.js';
import { type ManifestItem, parseManifest, type StoredFile, verifyManifest } from './manifest.js';

const checksum = 'a'.repeat(64);
const item = (href: string, changes: Partial<ManifestItem> = {}): ManifestItem => ({
  href,
  checksum,
  sizeInBytes: 5,
  ...changes,
});
const stored = (href: string, changes: Partial<StoredFile> = {}): StoredFile => ({
  href,
  sha256: checksum,
  sizeInBytes: 5,
  ...changes,
});

function refusal(run: () => unknown): AppError {
  try {
    run();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('It was not refused.');
}

describe('parseManifest', () => {
  it('reads the entries, whatever else they hold', () => {
    const items = [item('index.html'), { ...item('empty.txt', { sizeInBytes: 0 }), mode: 'x' }];
    expect(parseManifest(JSON.stringify(items))).toEqual(items);
  });

  it('makes checksums lower case', () => {
    const items = [item('index.html', { checksum: checksum.toUpperCase() })];
    expect(parseManifest(JSON.stringify(items))).toEqual([item('index.html')]);
  });

  it('takes 20,000 files, and not one more', () => {
    const items = Array.from({ length: 20_000 }, (_, i) => item(`${i}/index.html`));
    expect(parseManifest(JSON.stringify(items))).toHaveLength(20_000);
    const error = refusal(() => parseManifest(JSON.stringify([...items, item('more')])));
    expect(error).toMatchObject({ status: 400, code: 'invalid_manifest' });
    expect(error.message).toContain('names 20001 files, and at most 20000 are allowed');
  });

  it('counts values before it reads them, so that a large text cannot become millions of objects', () => {
    const parse = jest.spyOn(JSON, 'parse');
    for (const value of ['{}', '[]', '0', '""', '{"a":[1]}', '[[[[']) {
      const text = `[${`${value},`.repeat(20_000_000 / (value.length + 1))}0]`;
      const error = refusal(() => parseManifest(text));
      expect(error).toMatchObject({ status: 400, code: 'invalid_manifest' });
      expect(error.message).toContain('holds more than 320000 values');
    }
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
  });

  it('does not take the text of a value for values', () => {
    const odd = [item('{[,'.repeat(300) + '/index.html'), item('"{,"')];
    const items = Array.from({ length: 10_000 }, (_, i) =>
      item(`${i}/index.html`, { note: ',"'.repeat(99) } as object),
    );
    expect(parseManifest(JSON.stringify([...odd, ...items]))).toHaveLength(10_002);
  });

  it.each([
    ['', 'is not JSON'],
    ['[', 'is not JSON'],
    [`\ufeff${JSON.stringify([item('index.html')])}`, 'byte order mark'],
    ['{}', 'is not a JSON array'],
    ['null', 'is not a JSON array'],
    ['"[]"', 'is not a JSON array'],
    ['[null]', 'entry 0 is not an object'],
    ['["index.html"]', 'entry 0 is not an object'],
    [JSON.stringify([item('a'), {}]), 'entry 1 is not an object'],
    [JSON.stringify([item('../a')]), 'entry 0'],
    [JSON.stringify([item('/a')]), 'entry 0'],
    ['[]', 'names no index.html'],
    [JSON.stringify([item('app.js')]), 'names no index.html'],
    [JSON.stringify([item('index.html'), item('INDEX.html')]), 'differ in case'],
    [JSON.stringify([item('index.html'), item('\u00e9'), item('e\u0301')]), 'Unicode'],
    [JSON.stringify([item('a'), item('a/index.html')]), 'a is a file and the folder'],
    [JSON.stringify([item('a', { checksum: 'abc' })]), 'entry 0'],
    [JSON.stringify([item('a', { sizeInBytes: -1 })]), 'entry 0'],
    [JSON.stringify([item('a', { sizeInBytes: 1.5 })]), 'entry 0'],
    [JSON.stringify([{ ...item('a'), sizeInBytes: '5' }]), 'entry 0'],
    [JSON.stringify([item('a'), item('b'), item('a')]), 'a is there twice'],
  ])('refuses %s', (text, what) => {
    const error = refusal(() => parseManifest(text));
    expect(error).toMatchObject({ status: 400, code: 'invalid_manifest' });
    expect(error.message).toContain(what);
  });

  it('refuses or reads any JSON, and fails with nothing else', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        try {
          expect(Array.isArray(parseManifest(text))).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
        }
      }),
    );
  });
});

describe('verifyManifest', () => {
  it('is content when every entry is stored as it says', () => {
    const files = [stored('b'), stored('a')];
    expect(() => verifyManifest([item('a'), item('b')], files)).not.toThrow();
  });

  it.each(['.DS_Store', 'assets/.DS_Store', MANIFEST_HREF])(
    'lets %s be stored without being listed',
    (href) => {
      expect(() => verifyManifest([item('a')], [stored('a'), stored(href)])).not.toThrow();
    },
  );

  it('does not mind what was announced only, and is not listed', () => {
    expect(() => verifyManifest([], [stored('a', { sha256: null })])).not.toThrow();
  });

  it('reports a file that is not listed', () => {
    const error = refusal(() => verifyManifest([item('a')], [stored('a'), stored('b')]));
    expect(error.message).toContain('b was uploaded, but the manifest does not name it');
  });

  it.each([
    ['was not uploaded', []],
    ['was not completed', [stored('a', { sha256: null })]],
    ['another checksum', [stored('a', { sha256: 'b'.repeat(64) })]],
    ['another size', [stored('a', { sizeInBytes: 6 })]],
  ])('reports a file that %s', (what, files) => {
    const error = refusal(() => verifyManifest([item('a')], files));
    expect(error).toMatchObject({ status: 400, code: 'incomplete_bundle' });
    expect(error.message).toContain(what);
    expect(error.errors).toHaveLength(1);
  });

  it('reports the first problem, how many there are, and not all of very many', () => {
    const items = Array.from({ length: 100 }, (_, index) => item(`file-${index}`));
    const error = refusal(() => verifyManifest(items, [stored('file-0')]));
    expect(error.message).toContain('file-1 was not uploaded (and 98 more)');
    expect(error.errors).toHaveLength(20);
  });
});
