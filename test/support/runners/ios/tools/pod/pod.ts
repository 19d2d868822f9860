import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Refused } from '../refused.ts';

// A stand-in for `pod` of CocoaPods 1.16. Options and messages are those of its sources: github.com/CocoaPods/CocoaPods.

/** lib/cocoapods/command/install.rb. */
const OPTIONS = ['--repo-update', '--deployment', '--clean-install'];

/** Does what the arguments say. @throws Refused */
export function pod([command, ...options]: readonly string[]): void {
  if (command === '--version') {
    process.stdout.write('1.16.2\n');
    return;
  }
  if (command !== 'install') throw new Refused(`[!] Unknown command: \`${command}\``, 1);
  const unknown = options.find((option) => !OPTIONS.includes(option));
  if (unknown !== undefined) throw new Refused(`[!] Unknown option: \`${unknown}\``, 1);
  // bin/pod: it warns without UTF-8, and later fails at names that are no ASCII.
  if (process.env['LANG']?.endsWith('UTF-8') !== true) {
    throw new Refused('WARNING: CocoaPods requires your terminal to be using UTF-8 encoding.', 1);
  }
  // lib/cocoapods/command.rb, verify_podfile_exists!
  if (!existsSync('Podfile')) throw new Refused("[!] No `Podfile' found in the project directory.", 1);
  install(options.includes('--deployment'));
}

function install(isDeployment: boolean): void {
  const podfile = readFileSync('Podfile', 'utf8');
  const names = [...podfile.matchAll(/^\s*pod ['"]([\w/-]+)['"]/gm)].map(([, name]) => name ?? '');
  process.stdout.write('Analyzing dependencies\n');
  // lib/cocoapods/resolver.rb, handle_resolver_error: the exit code is that of NoSpecFoundError.
  const missing = names.find((name) => name.startsWith('Missing'));
  if (missing !== undefined) {
    throw new Refused(
      `[!] Unable to find a specification for \`${missing}\`\n\nYou have either:\n * out-of-date source repos which you can update with \`pod repo update\` or with \`pod install --repo-update\`.`,
      31,
    );
  }
  const lock = `PODS:\n${names.map((name) => `  - ${name} (1.0.0)\n`).join('')}\nDEPENDENCIES:\n${names.map((name) => `  - ${name}\n`).join('')}\nCOCOAPODS: 1.16.2\n`;
  const before = existsSync('Podfile.lock') ? readFileSync('Podfile.lock', 'utf8') : null;
  // lib/cocoapods/installer/analyzer.rb, verify_no_lockfile_changes!
  if (isDeployment && before !== lock)
    throw new Refused('[!] There were changes to the lockfile in deployment mode.', 1);
  const project = readdirSync('.').find((name) => name.endsWith('.xcodeproj'));
  // lib/cocoapods/installer/analyzer.rb, compute_user_project_path
  if (project === undefined) {
    throw new Refused('[!] Could not automatically select an Xcode project.', 1);
  }
  download(names);
  mkdirSync('Pods/Pods.xcodeproj', { recursive: true });
  writeFileSync('Pods/Pods.xcodeproj/project.pbxproj', '// !$*UTF8*$!\n{\n}\n');
  writeFileSync('Podfile.lock', lock);
  // lib/cocoapods/sandbox.rb: a copy of the lock file.
  writeFileSync('Pods/Manifest.lock', lock);
  const workspace = project.replace(/\.xcodeproj$/, '.xcworkspace');
  mkdirSync(workspace, { recursive: true });
  const references = [project, 'Pods/Pods.xcodeproj'].map(
    (path) => `   <FileRef\n      location = "group:${path}">\n   </FileRef>\n`,
  );
  writeFileSync(
    join(workspace, 'contents.xcworkspacedata'),
    `<?xml version="1.0" encoding="UTF-8"?>\n<Workspace\n   version = "1.0">\n${references.join('')}</Workspace>\n`,
  );
  process.stdout.write(
    `Generating Pods project\nIntegrating client project\nPod installation complete! There are ${names.length} dependencies from the Podfile and ${names.length} total pods installed.\n`,
  );
}

/** lib/cocoapods/config.rb: with CP_HOME_DIR, the cache is in its folder `cache`; downloader/cache.rb: `Pods/Release/<name>/<version>`. */
function download(names: readonly string[]): void {
  const cache = join(process.env['CP_HOME_DIR'] ?? join(process.env['HOME'] ?? '', '.cocoapods'), 'cache');
  for (const name of names) {
    const folder = join(cache, 'Pods/Release', name, '1.0.0-abcde');
    process.stdout.write(`${existsSync(folder) ? 'Using' : 'Installing'} ${name} (1.0.0)\n`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${name.replace('/', '-')}.swift`), 'public class Pod {}\n');
  }
}
