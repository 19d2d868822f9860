import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'plist';
import { temporaryFolder } from '../../processes/temporary-folders.js';
import { installTool } from './install-tool.ts';
import { installSecurity } from './security/install-security.ts';
import { makeMacHome } from './security/keychain-files.ts';
import { callsFile, type ToolCall } from './tools/refused.ts';

const TOOLS = {
  xcodebuild: 'xcodebuild/main.ts',
  pod: 'pod/main.ts',
  bundle: 'pod/bundle.ts',
  sw_vers: 'sw-vers.ts',
} as const;

/** A stand-in for a Mac: a home with a login keychain, versions of Xcode, and programs. */
export class IosMachine {
  private constructor(
    /** Of the user. */
    readonly home: string,
    /** `RUNNER_TOOLS_DIR`. */
    readonly toolsDir: string,
    /** `RUNNER_XCODE_DIR`. */
    readonly xcodeDir: string,
  ) {}

  /** @param versions of Xcode @param without programs that it does not have */
  static async create(
    versions: readonly string[] = ['26.2', '26.0.1', '16.4'],
    without: readonly (keyof typeof TOOLS)[] = [],
  ): Promise<IosMachine> {
    // A home can have a space in its name, and the folders of keychains do.
    const root = join(await temporaryFolder(), 'Mac of Erika');
    const machine = new IosMachine(join(root, 'home'), join(root, 'tools'), join(root, 'Applications'));
    mkdirSync(machine.home, { recursive: true });
    makeMacHome(machine.home);
    installSecurity(machine.toolsDir);
    for (const [name, path] of Object.entries(TOOLS)) {
      if (!without.includes(name as keyof typeof TOOLS)) machine.install(name, path);
    }
    for (const version of versions) machine.addXcode(version);
    return machine;
  }

  /** What a runner gets to find all this. */
  get env(): Record<string, string> {
    return { HOME: this.home, RUNNER_TOOLS_DIR: this.toolsDir, RUNNER_XCODE_DIR: this.xcodeDir };
  }

  /** The calls of a program, in order; those of `security` are in a file of its own. */
  calls(tool: keyof typeof TOOLS): ToolCall[] {
    const lines = readFileSync(callsFile(this.toolsDir), 'utf8').trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line) as ToolCall).filter((call) => call.tool === tool);
  }

  /** @returns its folder `Contents` */
  addXcode(version: string): string {
    const contents = join(this.xcodeDir, `Xcode-${version}.app/Contents`);
    mkdirSync(join(contents, 'Developer/usr/bin'), { recursive: true });
    writeFileSync(join(contents, 'Developer/usr/bin/xcodebuild'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const facts = { CFBundleShortVersionString: version, ProductBuildVersion: '17C52' };
    writeFileSync(join(contents, 'version.plist'), build(facts));
    return contents;
  }

  private install(name: string, path: string): void {
    const main = join(import.meta.dirname, 'tools', path);
    installTool(this.toolsDir, name, main, { STAND_IN_DIR: this.toolsDir });
  }
}
