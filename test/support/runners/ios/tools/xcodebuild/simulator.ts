import { join } from 'node:path';
import { Refused } from '../refused.ts';
import type { Arguments } from './arguments.ts';
import type { OpenBuild } from './open-build.ts';
import { writeBundle } from './products.ts';

/** Products are in `Build/Products/<configuration>-<platform>` of the derived data. @throws Refused */
export function buildForSimulator(given: Arguments, { app, project, configuration }: OpenBuild): void {
  const destination = given.optional('-destination');
  if (given.optional('-sdk') !== 'iphonesimulator' || destination !== 'generic/platform=iOS Simulator') {
    throw new Refused(
      'xcodebuild: error: Unable to find a destination matching the provided destination specifier.',
      70,
    );
  }
  if (given.settings.get('CODE_SIGNING_ALLOWED') !== 'NO') {
    throw new Refused(
      'error: the stand-in signs nothing for simulators: CODE_SIGNING_ALLOWED=NO is expected',
      65,
    );
  }
  const products = join(
    given.value('-derivedDataPath'),
    'Build/Products',
    `${configuration}-iphonesimulator`,
  );
  writeBundle(app, project.folder, products, new Map());
  process.stdout.write('** BUILD SUCCEEDED **\n');
}
