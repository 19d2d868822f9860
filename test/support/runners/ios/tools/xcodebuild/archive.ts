import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build as plist } from 'plist';
import { Refused } from '../refused.ts';
import type { Arguments } from './arguments.ts';
import type { OpenBuild } from './open-build.ts';
import { infoOf, writeBundle } from './products.ts';
import { signTargets } from './signing.ts';
import type { StandInXcode } from './xcode.ts';

/** xcodebuild(1), archive: "Archive a scheme from the build root. This requires specifying a scheme." @throws Refused */
export function archive(
  given: Arguments,
  { app, targets, project, configuration }: OpenBuild,
  xcode: StandInXcode,
): void {
  // "generic/platform=iOS" of xcodebuild(1), Destinations.
  if (given.value('-destination') !== 'generic/platform=iOS') {
    throw new Refused(
      'xcodebuild: error: Unable to find a destination matching the provided destination specifier.',
      70,
    );
  }
  const path = given.value('-archivePath');
  if (!path.endsWith('.xcarchive'))
    throw new Refused('xcodebuild: error: the archive must end with .xcarchive', 64);
  const signed = signTargets(targets, given.settings, xcode);
  const byName = new Map(signed.map((target) => [target.target.name, target]));
  rmSync(path, { recursive: true, force: true });
  const bundle = writeBundle(app, project.folder, join(path, 'Products/Applications'), byName);
  if (app.settings['DEBUG_INFORMATION_FORMAT'] !== 'dwarf') {
    for (const { name } of targets) writeSymbols(join(path, 'dSYMs', `${name}.dSYM`), name);
  }
  mkdirSync(join(path, 'SCMBlueprint'), { recursive: true });
  writeFileSync(
    join(path, 'Info.plist'),
    plist({
      ApplicationProperties: {
        ApplicationPath: `Applications/${basename(bundle)}`,
        CFBundleIdentifier: infoOf(app, project.folder)['CFBundleIdentifier'] ?? '',
        SigningIdentity: signed[0]?.identity ?? '',
      },
      ArchiveVersion: 2,
      SchemeName: given.value('-scheme'),
    }),
  );
  for (const { target, profile } of signed) {
    process.stdout.write(
      `CodeSign ${target.name} with "${profile.name}" (${profile.uuid}), ${configuration}\n`,
    );
  }
  process.stdout.write('** ARCHIVE SUCCEEDED **\n');
}

/** dsymutil(1): a bundle with the DWARF of the program. */
function writeSymbols(folder: string, name: string): void {
  mkdirSync(join(folder, 'Contents/Resources/DWARF'), { recursive: true });
  writeFileSync(join(folder, 'Contents/Info.plist'), plist({ CFBundlePackageType: 'dSYM' }));
  writeFileSync(join(folder, 'Contents/Resources/DWARF', name), `symbols of ${name}\n`);
}
