import type { FailureRule } from '../failure-rule.js';

/** The host in an address, without user and password. */
const host = /https?:\/\/(?:[^\s/@"']{1,200}@)?([^\s/"']{1,200})/;

/** What to do if the host is private, or the loopback, of which each build has its own. */
function privateAdvice(name: string | undefined): string {
  if (name !== undefined && /^(?:localhost|127\.)/.test(name)) {
    return `In a build, ${name} is the build itself. Name the registry by an address that its machine has in the network.`;
  }
  const value = name === undefined ? '' : `=${name}`;
  return `Builds cannot reach private networks. The operator of the runner can open this one with RUNNER_ALLOW${value}`;
}

/** What npm says about its registry. */
export const npmRegistryRules: readonly FailureRule[] = [
  {
    name: 'npm-authentication',
    mark: /^npm (?:error|ERR!) code (?:E401|ENEEDAUTH)$/,
    cause: () => 'The npm registry refuses the token, or there is none.',
    shows: /^npm (?:error|ERR!) (?:Unable to|Incorrect|401|need auth) ?/,
    advice: [
      'Add a valid token as a secret of the environment, and start the build with that environment.',
      'Use it in .npmrc, such as //npm.example.com/:_authToken=${NPM_TOKEN}.',
    ],
  },
  {
    name: 'npm-forbidden',
    mark: /^npm (?:error|ERR!) code E403$/,
    detail: host,
    cause: (detail) =>
      `The npm registry ${detail === undefined ? '' : `${detail} `}does not allow to read a package.`,
    shows: /^npm (?:error|ERR!) 403 403 /,
    advice: [
      'Give the user of the token access to the package.',
      'Check whether a policy of the registry forbids this version.',
    ],
  },
  {
    name: 'npm-registry-unreachable',
    mark: /^npm (?:error|ERR!) code (?:ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ERR_SOCKET_TIMEOUT|ERR_INVALID_URL)$/,
    detail: host,
    cause: (detail) => `npm cannot reach the registry${detail === undefined ? '' : ` ${detail}`}.`,
    shows: /^npm (?:error|ERR!) (?:FetchError: |network )?request to /,
    advice: (detail) => [
      'Correct the addresses of registries in .npmrc and package-lock.json, and commit them, such as registry=https://registry.npmjs.org/ for the public one.',
      privateAdvice(detail?.replace(/:\d+$/, '')),
      'If the address is right, build again: the registry may have been away.',
    ],
  },
  {
    name: 'npm-registry-failed',
    mark: /^npm (?:error|ERR!) code E5\d\d$/,
    detail: host,
    cause: (detail) => `The npm registry${detail === undefined ? '' : ` ${detail}`} has failed.`,
    shows: /^npm (?:error|ERR!) 5\d\d /,
    advice: ['Build again later. If it fails again, ask the operator of the registry.'],
  },
];
