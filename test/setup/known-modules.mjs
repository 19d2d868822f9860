/*
 * Loaded before the programs that tests start (`node --import`): remembers where their modules are, because finding
 * them takes a large part of a start. A program of its own has a list of its own, below `node_modules/.cache`. The list
 * is of no use any more after an installation of packages.
 */
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '../..');
const rootUrl = `${pathToFileURL(root).href}/`;
const folder = join(root, 'node_modules/.cache/known-modules');
const file = join(folder, `${basename(process.argv[1] ?? 'node')}.json`);
const installedAt = statSync(join(root, 'node_modules/.package-lock.json')).mtimeMs;

/** @returns by importing module and what it asks for: the address of the module, and its format */
function readKnown() {
  try {
    const list = JSON.parse(readFileSync(file, 'utf8'));
    return list.installedAt === installedAt ? list.known : {};
  } catch {
    return {};
  }
}

const known = readKnown();
let isComplete = true;

function write() {
  if (isComplete) return;
  isComplete = true;
  mkdirSync(folder, { recursive: true });
  // Others read and write it at the same time.
  writeFileSync(`${file}.${process.pid}`, JSON.stringify({ installedAt, known }));
  renameSync(`${file}.${process.pid}`, file);
}

const withoutRoot = (url) => (url.startsWith(rootUrl) ? url.slice(rootUrl.length) : null);

registerHooks({
  resolve: (specifier, context, next) => {
    const parent = context.parentURL === undefined ? null : withoutRoot(context.parentURL);
    if (parent === null || specifier.startsWith('node:')) return next(specifier, context);
    const key = context.conditions.includes('require') ? `require ${specifier}` : specifier;
    const found = known[parent]?.[key];
    if (found !== undefined) return { url: rootUrl + found[0], format: found[1], shortCircuit: true };
    const resolved = next(specifier, context);
    const path = withoutRoot(resolved.url);
    if (path !== null && /\.[cm]?js$/.test(path)) {
      (known[parent] ??= {})[key] = [path, resolved.format];
      isComplete = false;
    }
    return resolved;
  },
});

process.on('exit', write);
// Servers are often killed, and load all that they need at the start.
setTimeout(write, 2000).unref();
