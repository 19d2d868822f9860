import { runTool } from '../refused.ts';
import { parseArguments } from './arguments.ts';
import { archive } from './archive.ts';
import { exportArchive } from './export-archive.ts';
import { openBuild } from './open-build.ts';
import { buildForSimulator } from './simulator.ts';
import { currentXcode, requireFirstLaunch } from './xcode.ts';

/*
 * A stand-in for xcodebuild. Options, actions and exit codes are those of xcodebuild(1) and `xcodebuild -help` of Xcode 26;
 * what it checks has its source beside it. What the runner does not need is refused.
 */
void runTool('xcodebuild', async (args) => {
  const given = parseArguments(args);
  const xcode = currentXcode();
  if (given.has('-version')) {
    process.stdout.write(`Xcode ${xcode.version}\nBuild version 17C52\n`);
    return;
  }
  requireFirstLaunch(xcode);
  if (given.has('-checkFirstLaunchStatus')) return;
  if (given.has('-exportArchive')) return exportArchive(given, xcode);
  const [action] = given.actions;
  // Capacitor cleans the project after it has installed pods (ios/update.js of @capacitor/cli).
  if (action === 'clean') return;
  const build = await openBuild(given);
  if (action === 'archive') return archive(given, build, xcode);
  return buildForSimulator(given, build);
});
