import { gzipSync } from 'node:zlib';
import type { PackedPackage } from './static-registry.js';

/** The bytes of a tar are the same on every machine, because this is when its files have changed. */
const MODE = '0000755\0';
const BLOCK = 512;

/**
 * What the fixture repositories build with: writes `<folder>/index.html` with the Node.js of the build, the manager that has
 * installed the project, and what its packages export, as the folder of the command resolves them.
 */
const REPORT = `
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const { createRequire } = require('node:module');
const { dirname, join } = require('node:path');

/** The next file upwards with this name; '': there is none. */
function above(folder, name) {
  const path = join(folder, name);
  if (fs.existsSync(path)) return path;
  return dirname(folder) === folder ? '' : above(dirname(folder), name);
}

exports.above = above;
exports.report = (folder, output) => {
  const manifest = above(folder, 'package.json');
  const load = createRequire(manifest);
  const packages = {};
  for (const name of Object.keys(load(manifest).dependencies)) {
    const value = load(name);
    if (typeof value === 'string') packages[name] = value;
  }
  const note = above(folder, 'installed-by.txt');
  const installedBy = note === '' ? null : fs.readFileSync(note, 'utf8').trim().split(' ')[0];
  const node = execFileSync('node', ['--version'], { encoding: 'utf8' }).trim();
  fs.mkdirSync(output, { recursive: true });
  fs.writeFileSync(join(output, 'index.html'), JSON.stringify({ node, installedBy, packages }));
};
`;

const BUILD = `#!/usr/bin/env node
require('./index.js').report(process.cwd(), process.argv[2] ?? 'www');
`;

/** As the command of Nx: \`nx build <project>\` writes to \`dist/apps/<project>\` of the workspace. */
const NX = `#!/usr/bin/env node
const { dirname, join } = require('node:path');
const { above, report } = require('tiny-build');
const [command, project] = process.argv.slice(2);
const root = dirname(above(process.cwd(), 'nx.json'));
const [, name = project] = /^(.*):build$/.exec(project) ?? [];
if (!['build', 'run'].includes(command) || name === undefined) process.exit(2);
report(join(root, 'apps', name), join(root, 'dist/apps', name));
`;

/** As the command of Turborepo: \`turbo run build --filter=<package>\` runs the script of a package. */
const TURBO = `#!/usr/bin/env node
const { dirname, join } = require('node:path');
const { above, report } = require('tiny-build');
const [, , filter] = process.argv.slice(2);
const [, name] = /^--filter=@acme\\/(.+)$/.exec(filter) ?? process.exit(2);
const app = join(dirname(above(process.cwd(), 'turbo.json')), 'apps', name);
report(app, join(app, 'www'));
`;

/** As the command of Capacitor reads a configuration that is a program. */
const CAP = `#!/usr/bin/env node
if (process.argv.slice(2).join(' ') !== 'config --json') process.exit(2);
const path = require('node:path').join(process.cwd(), 'capacitor.config.js');
console.log(JSON.stringify({ app: { webDir: require(path).webDir }, android: {}, ios: {} }));
`;

const usesTiny = (version: string): PackedPackage =>
  pack('uses-tiny', version, {
    dependencies: { tiny: '^1.0.0' },
    files: { 'index.js': `module.exports = '${version} with tiny ' + require('tiny');\n` },
  });

/** Packages of which the registry has newer versions than lock files name. The newest one of each is the last. */
export const fixturePackages: readonly PackedPackage[] = [
  ...['1.0.0', '1.0.1', '1.1.0'].map((version) =>
    pack('tiny', version, { files: { 'index.js': `module.exports = '${version}';\n` } }),
  ),
  ...['1.0.0', '1.1.0'].map(usesTiny),
  pack('tiny-build', '1.0.0', {
    bin: { 'tiny-build': 'cli.js' },
    files: { 'index.js': REPORT, 'cli.js': BUILD },
  }),
  ...Object.entries({ nx: NX, turbo: TURBO }).map(([name, program]) =>
    pack(name, '1.0.0', {
      bin: { [name]: 'cli.js' },
      dependencies: { 'tiny-build': '1.0.0' },
      files: { 'index.js': '', 'cli.js': program },
    }),
  ),
  pack('@capacitor/cli', '1.0.0', { bin: { cap: 'cli.js' }, files: { 'index.js': '', 'cli.js': CAP } }),
];

interface Content {
  readonly files: Readonly<Record<string, string>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}

function pack(name: string, version: string, { files, ...fields }: Content): PackedPackage {
  const manifest = { name, version, main: 'index.js', ...fields };
  const all = { 'package.json': `${JSON.stringify(manifest, null, 2)}\n`, ...files };
  const entries = Object.entries(all).map(([path, text]) => tarEntry(`package/${path}`, Buffer.from(text)));
  return { manifest, archive: gzipSync(Buffer.concat([...entries, Buffer.alloc(2 * BLOCK)])) };
}

/** A file in the format ustar. */
function tarEntry(path: string, content: Buffer): Buffer {
  const header = Buffer.alloc(BLOCK);
  header.write(path, 0);
  header.write(MODE, 100);
  for (const at of [108, 116]) header.write('0000000\0', at);
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
  header.write('00000000000\0', 136);
  header.write('        0', 148);
  header.write('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return Buffer.concat([header, content, Buffer.alloc(-content.length & (BLOCK - 1))]);
}
