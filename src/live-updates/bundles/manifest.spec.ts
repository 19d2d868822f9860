import fc from 'fast-check';
import { AppError } from '../../common/errors/app-error.js';
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

  it('takes an empty one', () => {
    expect(parseManifest('[]')).toEqual([]);
  });

  it.each([
    ['', 'is not JSON'],
    ['[', 'is not JSON'],
    ['{}', 'is not a JSON array'],
    ['null', 'is not a JSON array'],
    ['"[]"', 'is not a JSON array'],
    ['[null]', 'entry 0 is not an object'],
    ['["index.html"]', 'entry 0 is not an object'],
    [JSON.stringify([item('a'), {}]), 'entry 1 is not an object'],
    [JSON.stringify([item('../a')]), 'entry 0'],
    [JSON.stringify([item('/a')]), 'entry 0'],
    [JSON.stringify([item('a', { checksum: checksum.toUpperCase() })]), 'entry 0'],
    [JSON.stringify([item('a', { checksum: 'abc' })]), 'entry 0'],
    [JSON.stringify([item('a', { sizeInBytes: -1 })]), 'entry 0'],
    [JSON.stringify([item('a', { sizeInBytes: 1.5 })]), 'entry 0'],
    [JSON.stringify([{ ...item('a'), sizeInBytes: '5' }]), 'entry 0'],
    [JSON.stringify([item('a'), item('b'), item('a')]), 'names a twice'],
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
  it('is content when every entry is stored as it says, whatever else is stored', () => {
    const files = [stored('b'), stored('.DS_Store', { sha256: null }), stored('a')];
    expect(() => verifyManifest([item('a'), item('b')], files)).not.toThrow();
    expect(() => verifyManifest([], files)).not.toThrow();
  });

  it.each([
    ['was not uploaded', []],
    ['was not completed', [stored('a', { sha256: null })]],
    ['another checksum', [stored('a', { sha256: 'b'.repeat(64) })]],
    ['another size', [stored('a', { sizeInBytes: 6 })]],
  ])('tells that a file %s', (what, files) => {
    const error = refusal(() => verifyManifest([item('a')], files));
    expect(error).toMatchObject({ status: 400, code: 'incomplete_bundle' });
    expect(error.message).toContain(what);
    expect(error.errors).toHaveLength(1);
  });

  it('tells the first problem, how many there are, and not all of very many', () => {
    const items = Array.from({ length: 100 }, (_, index) => item(`file-${index}`));
    const error = refusal(() => verifyManifest(items, [stored('file-0')]));
    expect(error.message).toContain('file-1 was not uploaded (and 98 more)');
    expect(error.errors).toHaveLength(20);
  });
});
