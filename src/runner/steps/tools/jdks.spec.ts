import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findJdks, majorOf } from './jdks.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slipway-jdks-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** A stand-in. */
async function makeJdk(name: string, version: string, programs = ['java', 'javac']): Promise<void> {
  const bin = join(folder, name, 'bin');
  await mkdir(bin, { recursive: true });
  for (const program of programs) {
    await writeFile(join(bin, program), '#!/bin/sh\n');
    await chmod(join(bin, program), 0o755);
  }
  await writeFile(join(folder, name, 'release'), `IMPLEMENTOR="Acme"\nJAVA_VERSION="${version}"\n`);
}

describe('findJdks', () => {
  it('finds several in the folder, one of each version, by version', async () => {
    await makeJdk('temurin-21', '21.0.4');
    await makeJdk('jdk-17b', '17.0.2');
    await makeJdk('jdk-17a', '17.0.9');
    await makeJdk('jdk8', '1.8.0_402');
    const found = (await findJdks(folder)).filter(({ home }) => home.startsWith(folder));
    expect(found).toEqual([
      { home: join(folder, 'jdk8'), major: 8 },
      { home: join(folder, 'jdk-17a'), major: 17 },
      { home: join(folder, 'temurin-21'), major: 21 },
    ]);
  });

  it('takes neither a Java without a compiler nor other folders', async () => {
    await makeJdk('jre-97', '97', ['java']);
    await makeJdk('jdk-98', 'x');
    await mkdir(join(folder, 'empty'));
    const found = await findJdks(folder);
    expect(found.filter(({ home }) => home.startsWith(folder))).toEqual([]);
    expect(found).toEqual(await findJdks(join(folder, 'absent')));
  });
});

it.each([
  ['JAVA_VERSION="17.0.21.1"', 17],
  ['JAVA_VERSION="21"', 21],
  ['JAVA_VERSION="1.8.0_402"', 8],
  ['JAVA_RUNTIME_VERSION="17"', null],
])('reads the version of %s', (release, major) => expect(majorOf(release)).toBe(major));
