import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { Injectable } from '@nestjs/common';
import type { Html } from '../pages/views/html.js';
import { tokensPath } from '../pages/views/stylesheet.js';

/** What `npm run build:console` writes, beside the chunks of the program. */
const FOLDER = join(import.meta.dirname, '../console');

/** A name of a file, with the hash of its content: no folder, and nothing hidden. */
const NAME = /^\w[\w-]*-[\w-]{8}\.(js|css|svg)$/;

/** Encodings that the build has written beside each file, the smallest first. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** What `index.html` has in place of what differs for each request, and of the address of the colours. */
const [NONCE, CSRF, USER] = ['__NONCE__', '__CSRF__', '__USER__'];
const [VISITOR, TOKENS] = ['__VISITOR__', '__TOKENS__'];

interface ConsoleFile {
  readonly path: string;
  readonly type: string;
  readonly encoding: string | null;
}

/** The files of the built console. Reads them at each request, so that a new build needs no start of the server. */
@Injectable()
export class ConsoleFiles {
  /**
   * The page for a visitor.
   *
   * @param values `csrf` and `userId` are empty without a sign-in; `visitor` is for browsers without scripts
   * @returns `null` when the console is not built
   */
  page(values: Record<'nonce' | 'csrf' | 'userId', string> & { visitor: Html }): string | null {
    return (
      readIndex()
        ?.replaceAll(NONCE, values.nonce)
        .replaceAll(CSRF, values.csrf)
        .replace(USER, values.userId)
        .replace(TOKENS, tokensPath)
        .replace(VISITOR, () => values.visitor.text) ?? null
    );
  }

  /** The licences of the packages that the build contains. `null` when the console is not built. */
  get licenses(): string | null {
    const path = join(FOLDER, 'licenses.md');
    return existsSync(path) ? path : null;
  }

  /** A file by its name, as small as the client takes it. @returns `null` when there is none */
  find(name: string, accepts: (encoding: string) => boolean): ConsoleFile | null {
    const type = TYPES[extname(name)];
    const path = join(FOLDER, 'files', name);
    if (type === undefined || !NAME.test(name) || !existsSync(path)) return null;
    const found = ENCODINGS.find(([encoding, suffix]) => accepts(encoding) && existsSync(path + suffix));
    return found === undefined
      ? { path, type, encoding: null }
      : { path: path + found[1], type, encoding: found[0] };
  }
}

function readIndex(): string | null {
  try {
    return readFileSync(join(FOLDER, 'index.html'), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
