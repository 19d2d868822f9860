import { isCompressible } from './compressible.js';

const file = (name: string, mimeType: string, sizeInBytes = 5000) => ({ name, mimeType, sizeInBytes });

describe('isCompressible', () => {
  it.each([
    ['assets/app.js', 'text/javascript'],
    ['assets/app.js', 'application/javascript; charset=utf-8'],
    ['assets/app.css', 'TEXT/CSS'],
    ['index.html', 'text/html'],
    ['logo.svg', 'image/svg+xml'],
    ['data', 'application/json'],
    ['app.webmanifest', 'application/manifest+json'],
    ['feed', 'application/xml'],
    ['lib.wasm', 'application/wasm'],
    ['assets/app.JS', 'application/octet-stream'],
    ['assets/app.js.map', ''],
  ])('takes %s of the type %s', (name, mimeType) => {
    expect(isCompressible(file(name, mimeType))).toBe(true);
  });

  it.each([
    ['photo.png', 'image/png'],
    ['photo.jpg', 'image/jpeg'],
    ['font.woff2', 'font/woff2'],
    ['sound.mp3', 'audio/mpeg'],
    ['bundle.zip', 'application/zip'],
    ['bundle.zip', 'application/octet-stream'],
    ['data.json.gz', 'application/gzip'],
    ['no-name', 'application/octet-stream'],
    ['json', ''],
    // What the client says counts for more than a name.
    ['picture.js', 'image/png'],
  ])('leaves %s of the type %s', (name, mimeType) => {
    expect(isCompressible(file(name, mimeType))).toBe(false);
  });

  it('leaves what is small or very large', () => {
    const sizes = [0, 1023, 1024, 64 * 1024 * 1024, 64 * 1024 * 1024 + 1];
    expect(sizes.map((size) => isCompressible(file('app.js', 'text/javascript', size)))).toEqual([
      false,
      false,
      true,
      true,
      false,
    ]);
  });
});
