import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

/** The files of a web app by path, as a build leaves them in its output folder. */
export type WebApp = ReadonlyMap<string, Buffer>;

/** An entry of the manifest that devices compare with the one they have. */
export interface ManifestEntry {
  readonly href: string;
  /** SHA-256, lower-case hexadecimal. */
  readonly checksum: string;
  readonly sizeInBytes: number;
}

/** The name that devices ask for. */
export const MANIFEST = 'capawesome-live-update-manifest.json';

/** A web app of the usual shape, the same one for the same greeting: only `assets/texts.json` holds it. */
export function makeWebApp(greeting: string): WebApp {
  return new Map([
    ['index.html', Buffer.from(`<!doctype html><title>Shop</title><script src="assets/app.js"></script>\n`)],
    ['assets/app.js', code('app', 300_000)],
    ['assets/vendor.js', code('vendor', 180_000)],
    ['assets/style.css', Buffer.from('.card { margin: 1rem; padding: 1rem; }\n'.repeat(900))],
    ['assets/texts.json', Buffer.from(`${JSON.stringify({ greeting })}\n`)],
    ['assets/fonts/regular.woff2', noise('regular', 62_000)],
    ['assets/fonts/bold.woff2', noise('bold', 64_000)],
    ['assets/images/hero.webp', noise('hero', 240_000)],
    ['assets/images/logo + icon.png', noise('logo', 18_000)],
    ['assets/.keep', Buffer.alloc(0)],
  ]);
}

/** The app as one zip. */
export function zip(app: WebApp): Promise<Buffer> {
  const file = new ZipFile();
  for (const [path, bytes] of app) file.addBuffer(bytes, path);
  file.end();
  return buffer(file.outputStream);
}

/** The manifest of the app, as the command-line tool writes it. */
export function manifest(app: WebApp): Buffer {
  const entries = [...app].map(([href, bytes]): ManifestEntry => ({
    href,
    checksum: sha256(bytes),
    sizeInBytes: bytes.length,
  }));
  return Buffer.from(JSON.stringify(entries));
}

/** SHA-256 in lower-case hexadecimal. */
export function sha256(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Total of the files in bytes. */
export function sizeOf(app: WebApp): number {
  return [...app.values()].reduce((total, bytes) => total + bytes.length, 0);
}

/** Text that compresses about as well as minified code. */
function code(seed: string, length: number): Buffer {
  const words =
    noise(seed, length / 8)
      .toString('hex')
      .match(/.{1,6}/g) ?? [];
  const text = words.map((word) => `function f${word}(a,b){return a.${word}+b}`).join(';');
  return Buffer.from(text.slice(0, length));
}

/** Bytes that do not compress, as in fonts and images; the same ones for the same seed. */
function noise(seed: string, length: number): Buffer {
  return createHash('shake256', { outputLength: length }).update(seed).digest();
}
