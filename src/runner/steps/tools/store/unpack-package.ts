import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { chmod, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

/** Most bytes of a package when it is unpacked. */
const MAX_BYTES = 1024 ** 3;

/** A package cannot be used. The message is a clause without a full stop. */
export class PackageError extends Error {}

/**
 * Unpacks the file of a package without running anything of it. The folder that packages have all their files in is left
 * out. Call `seal` before anything else reads the result.
 *
 * @param file a tar with gzip
 * @param folder empty
 * @param maxBytes when it is unpacked
 * @throws PackageError when it is damaged, is too large, or has paths out of the folder
 */
export async function unpackPackage(
  file: string,
  folder: string,
  signal: AbortSignal,
  maxBytes = MAX_BYTES,
): Promise<void> {
  // Refuses `..`, strips a first slash, and follows no link that it has made itself: GNU tar and that of macOS.
  const options = ['--strip-components=1', '--no-same-owner', '--no-same-permissions'];
  const child = spawn('tar', ['-x', '-f', '-', '-C', folder, ...options], {
    env: { PATH: process.env['PATH'], LC_ALL: 'C' },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const ended = once(child, 'close') as Promise<[number | null]>;
  let printed = '';
  child.stderr.on('data', (chunk: Buffer) => (printed = `${printed}${chunk.toString()}`.slice(0, 300)));
  const fed = pipeline(createReadStream(file), createGunzip(), bounded(maxBytes), child.stdin, { signal });
  const failure = await fed.then(
    () => null,
    (error: unknown) => error,
  );
  const [code] = await ended;
  signal.throwIfAborted();
  if (failure instanceof PackageError) throw failure;
  if (code === 0 && failure === null) return;
  throw new PackageError(`its package cannot be unpacked: ${printed.split('\n')[0] || String(failure)}`);
}

/**
 * Makes a folder and everything in it read-only.
 *
 * @throws PackageError when there is something else than files and folders
 */
export async function seal(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const { mode, nlink } = await lstat(path);
    if (entry.isDirectory()) await seal(path);
    else if (!entry.isFile() || nlink > 1) {
      throw new PackageError(
        `its package has ${JSON.stringify(entry.name)}, which is neither a file nor a folder`,
      );
    } else await chmod(path, (mode & 0o111) === 0 ? 0o444 : 0o555);
  }
  await chmod(folder, 0o555);
}

function bounded(maxBytes: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes <= maxBytes) done(null, chunk);
      else done(new PackageError(`its package has more than ${maxBytes} bytes when it is unpacked`));
    },
  });
}
