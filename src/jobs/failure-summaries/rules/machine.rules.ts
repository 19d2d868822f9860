import type { FailureRule } from '../failure-rule.js';

/** A process got SIGKILL, and did not say why. */
export const KILLED = {
  cause: 'The system ended a process by force, mostly because the memory was used up.',
  advice: [
    'Use less memory: turn off source maps, or build fewer things at once.',
    'Or ask the operator of the runner for more memory.',
  ],
} as const;

/** @param detail what the runner says about hosts that its sandbox closes, behind `Builds do not reach` */
function openHosts(detail = ''): string {
  const [hosts = ''] = detail.split('. ', 1);
  return `If builds should reach it, ask the operator of the runner to add ${hosts.replaceAll(', ', ',')} to RUNNER_ALLOW.`;
}

/** @param file which it was; builds can print any name */
function permissionAdvice(file = ''): readonly string[] {
  const write = 'Write below the folder of the project or $HOME only.';
  const [, script] = /^(?:\.\/|\/(?:[\w.-]{1,99}\/){0,9}repo\/)?(\w[\w./-]{0,200})$/.exec(file) ?? [];
  if (script === undefined && file.startsWith('/')) return [write];
  const command = `git update-index --chmod=+x ${script ?? '<file>'}`;
  return [`A script needs its executable bit: ${command}, then commit.`, write];
}

/** The packages whose commands projects use most. */
const packages: Readonly<Record<string, string>> = {
  cap: '@capacitor/cli',
  cordova: 'cordova',
  ionic: '@ionic/cli',
  ng: '@angular/cli',
  tsc: 'typescript',
  vite: 'vite',
  'vue-tsc': 'vue-tsc',
};

/** What "packageManager" of package.json is for commands of package managers. */
const managers: Readonly<Record<string, string>> = {
  bun: 'bun@1.4.5',
  bunx: 'bun@1.4.5',
  pnpm: 'pnpm@10.34.9',
  pnpx: 'pnpm@10.34.9',
  yarn: 'yarn@4.18.1',
};

/** @param name of a command or a package; builds can print any */
export function packageAdvice(name = ''): readonly string[] {
  const manager = Object.hasOwn(managers, name) ? managers[name] : undefined;
  if (manager !== undefined) {
    return [
      `Commit the exact version of your machine in package.json, such as "packageManager": "${manager}": builds then have it.`,
      'The first lines of the log say which package manager the build has, and why.',
    ];
  }
  const known = Object.hasOwn(packages, name) ? packages[name] : undefined;
  return [
    known === undefined
      ? 'If it belongs to an npm package, add the package to package.json: only commands of installed packages are there.'
      : `Commit its package in package.json and the lock file: npm install --save-dev ${known}.`,
    'Install devDependencies, too: NODE_ENV=production and npm ci --omit=dev leave them out.',
  ];
}

/** What shells and Node.js say about the machine: also what the limits of a sandbox look like from inside. */
export const machineRules: readonly FailureRule[] = [
  {
    name: 'builds-closed-host',
    // A line of the runner.
    mark: /^§ Builds do not reach (.{1,500})$/,
    cause: (detail = '') => `Builds do not reach ${detail.split('. ')[0]}, which is not a public address.`,
    advice: (detail) => [
      openHosts(detail),
      'An npm registry needs only its port: RUNNER_NPM_REGISTRY is its address.',
    ],
  },
  {
    name: 'runner-network',
    // A line of the runner.
    mark: /^§ The runner failed: The machine denies the runner \/dev\/net\/tun\b/,
    cause: () => 'The runner cannot connect builds to the network: its machine denies it /dev/net/tun.',
    advice: [
      'Ask the operator of the runner to open it: slipway runner doctor says how.',
      'Then build again. The project has no part in it.',
    ],
  },
  {
    name: 'network-device',
    mark: /\/dev\/net\/tun\b.{0,60}(?:No such file|not permitted|denied|read-only)|(?:No such file or directory|ENOENT|Operation not permitted|EPERM|Permission denied|EACCES).{0,60}\/dev\/net\/tun\b/i,
    cause: () =>
      'The build opens /dev/net/tun, the device of VPNs, which the sandbox of builds does not have.',
    advice: [
      'Leave the VPN out of the build: the machine of the runner connects to it, and its operator opens the network to builds by RUNNER_ALLOW.',
      'Or reach the server at a public address, with credentials from the environment.',
    ],
  },
  {
    name: 'heap',
    mark: /^FATAL ERROR: .{0,200}JavaScript heap out of memory/,
    cause: () => 'Node.js needed more memory than it may use.',
    advice: [
      'Set NODE_OPTIONS to --max-old-space-size=4096 (in MiB) in the environment, within the memory of the runner.',
      'Or need less: turn off source maps, or build fewer things at once.',
    ],
  },
  {
    name: 'disk',
    mark: /No space left on device|\bENOSPC\b.{0,9}no space left|\bEDQUOT\b|Disk quota exceeded/,
    cause: () => 'The disk of the build is full.',
    advice: [
      'Write less: large files of a repository, its history and caches count, too.',
      'Or ask the operator of the runner for more space.',
    ],
  },
  {
    name: 'processes',
    mark: /: Cannot fork$|fork: (?:retry: )?Resource temporarily unavailable|\bspawn(?:Sync)? \S{1,200} EAGAIN/,
    cause: () => 'The build wanted to start more processes than it may have.',
    advice: [
      'Start fewer at once: build tools have an option for the number of workers.',
      'Or ask the operator of the runner for a higher limit.',
    ],
  },
  {
    name: 'command-not-found',
    mark: /^(?:\/bin\/)?(?:sh|bash|dash|zsh): (?:(?:line )?\d{1,6}: )?([^:\s]{1,200}): (?:command )?not found$/,
    cause: (detail) => `The command ${detail ?? ''} does not exist.`,
    advice: packageAdvice,
  },
  {
    name: 'permission',
    mark: /^(?:\/bin\/)?(?:sh|bash|dash|zsh): (?:(?:line )?\d{1,6}: )?([^:\s]{1,300}): Permission denied$|\bEACCES: permission denied, \w{1,30} '([^']{1,300})'|\bspawn(?:Sync)? \S{1,300} EACCES$|^npm (?:error|ERR!) code EACCES$/,
    detail:
      /(?:\bspawn(?:Sync)? (?=\S{1,300} EACCES$)|: (?=[^:\s]{1,300}: Permission denied$)|EACCES: permission denied, \w{1,30} '|^npm (?:error|ERR!) path )([^':\s]{1,300})/,
    cause: (detail) => `The build may not read, write or run ${detail ?? 'a file'}.`,
    advice: permissionAdvice,
  },
  {
    name: 'module-missing',
    mark: /^(?:[A-Za-z]{0,20}Error(?: \[\w{1,50}\])?: )Cannot find (?:module|package) '([^']{1,300})'/,
    cause: (detail) => `A program needs ${detail ?? 'a module'}, which is not installed.`,
    shows: /^- \/.{1,300}$/,
    advice: [
      'Add the package to package.json, and commit package-lock.json with it. A file must be committed.',
      'Install devDependencies, too: NODE_ENV=production and npm ci --omit=dev leave them out.',
    ],
  },
  {
    name: 'killed',
    mark: /^(?:(?:sh|bash|dash): (?:line )?\d{1,6}: +\d{1,9} )?Killed(?: {2,}.{0,200})?$/,
    cause: () => KILLED.cause,
    advice: KILLED.advice,
  },
];
