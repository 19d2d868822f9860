import { Refused, runTool } from './refused.ts';

// A stand-in for sw_vers(1): `-productVersion` prints the version of macOS.

void runTool('sw_vers', (args) => {
  if (args.length !== 1 || args[0] !== '-productVersion')
    throw new Refused('usage: sw_vers [-productVersion]', 1);
  process.stdout.write('26.1\n');
});
