import type { FailureRule } from '../failure-rule.js';

const server = /https?:\/\/(?:[^\s/@']{1,200}@)?([^\s/'"]{1,200})/;

/** What git says about repositories. */
export const gitRules: readonly FailureRule[] = [
  {
    name: 'git-no-tags',
    mark: /^fatal: (?:No names found, cannot describe anything|No (?:annotated )?tags can describe ')/,
    cause: () =>
      'git describe finds no tag: a build fetches its commit, without the history and tags before it.',
    advice: [
      'Fetch the history with its tags: PATCH /v1/apps/{appId}/repository with {"gitDepth":0}.',
      'Or commit a command that needs no tag, such as git describe --tags --always.',
    ],
  },
  {
    name: 'git-no-repository',
    mark: /^fatal: not a git repository \(or any (?:of the parent directories|parent up to mount point )/,
    cause: () => 'A command asks git about the project, but an uploaded source has no .git.',
    advice: [
      'Commit a command that does without it, such as git rev-parse --short HEAD || echo "build-$CI_BUILD_NUMBER".',
      'Or build a commit of the linked repository: apps:builds:create --git-ref main.',
    ],
  },
  {
    name: 'git-lfs-missing',
    mark: /^\[[\da-f]{64}\] Object does not exist|^Error downloading object: .{1,900}: \[[\da-f]{64}\] Object does not exist|^fatal: \S{1,300}: smudge filter lfs failed$/,
    detail:
      /^(?:Error downloading object: |fatal: (?=\S{1,300}: smudge filter lfs)|\[(?=[\da-f]{64}\] Object does))([^\s:\]]{1,300})/,
    cause: (detail) => `The git server does not have a file in Git LFS: ${detail ?? 'see below'}.`,
    shows: /^\[[\da-f]{64}\] Object does not exist|^Error downloading object: |smudge filter lfs failed$/,
    advice: [
      'Push it from the clone in which it was committed: git lfs push --all origin.',
      'If no clone has it, add the file again and commit it: git add --renormalize . stages what should be in Git LFS.',
    ],
  },
  {
    name: 'git-submodule-address',
    mark: /^fatal: No url found for submodule path '([^']{1,300})' in \.gitmodules/,
    cause: (detail) => `The submodule ${detail ?? ''} has no address in .gitmodules.`,
    advice: [
      'Commit .gitmodules with the submodule: git submodule add <address> <path> writes it.',
      'If the folder is no submodule, remove it from the index and add its files: git rm --cached <path>, then git add <path>.',
    ],
  },
  {
    name: 'git-submodule-commit',
    mark: /^fatal: Fetched in submodule path '([^']{1,300})', but it did not contain [\da-f]{40}/,
    cause: (detail) =>
      `The repository of the submodule ${detail ?? ''} does not have the commit that it is pinned to.`,
    advice: [
      'Push the commit of the submodule: git push --recurse-submodules=on-demand.',
      'Or pin one that is there, and commit it: git submodule update --remote <path>, then git add <path>.',
    ],
  },
  {
    name: 'git-ref',
    mark: /^fatal: couldn't find remote ref (\S{1,250})|^(?:fatal: Remote branch|error: pathspec) '?(\S{1,250}?)'? (?:not found|did not match)/,
    cause: (detail) => `The repository has no branch or tag ${detail ?? 'of this name'}.`,
    advice: ['Check the name, and whether the branch or tag was pushed and still exists.'],
  },
  {
    name: 'git-commit',
    mark: /^(?:fatal: (?:git upload-pack|remote error: upload-pack): |error: Server does not allow request for unadvertised object |fatal: remote error: .{0,20})not our ref ([0-9a-f]{40})/,
    cause: (detail) => `The repository does not have the commit ${detail ?? ''} any more.`,
    advice: [
      'The branch was probably rewritten after the build was created: create a new build.',
      'In a submodule, push its commit first.',
    ],
  },
  {
    name: 'git-submodule-not-listed',
    // A line of the runner.
    mark: /^§ submoduleRepositories of the app's repository does not list "([^"]{1,255})"/,
    cause: (detail) =>
      `A submodule needs the credential of the git connection, but submoduleRepositories of the app's repository does not list "${detail ?? ''}".`,
    shows: /^fatal: (?:Authentication failed|could not read|unable to access|repository) /,
    advice: [
      'Add this path to submoduleRepositories: PATCH /v1/apps/{appId}/repository with all paths that submodules need.',
      'Check first whether the submodule is meant: anyone who can push can change .gitmodules.',
    ],
  },
  {
    name: 'git-authentication',
    mark: /^fatal: (?:Authentication failed for|could not read (?:Username|Password) for)|^remote: HTTP Basic: Access denied|Permission denied \(publickey/,
    detail: server,
    cause: (detail) =>
      `The git server${detail === undefined ? '' : ` ${detail}`} refuses the credentials, or there are none.`,
    advice: [
      'Update the git connection of the app with a valid token or password.',
      'Packages, and submodules of other git servers, cannot use its credentials.',
    ],
  },
  {
    name: 'git-forbidden',
    mark: /^fatal: unable to access '[^']{1,500}': The requested URL returned error: 403/,
    detail: server,
    cause: (detail) => `The git server ${detail ?? ''} does not allow to read the repository.`,
    advice: ['Give the user or token of the git connection permission to read the repository.'],
  },
  {
    name: 'git-not-found',
    mark: /^fatal: repository '[^']{1,500}' not found/,
    detail: server,
    cause: (detail) =>
      `The git server ${detail ?? ''} has no such repository, or does not show it to this user.`,
    advice: [
      'Check the path of the repository, and link the app again if it has moved.',
      'Check whether the user or token of the git connection may read it.',
    ],
  },
  {
    name: 'git-server-failed',
    mark: /^fatal: unable to access '[^']{1,500}': The requested URL returned error: 5\d\d/,
    detail: server,
    cause: (detail) => `The git server ${detail ?? ''} has failed.`,
    advice: ['Build again later. If it fails again, ask the operator of the git server.'],
  },
  {
    name: 'git-unreachable',
    mark: /^fatal: unable to access '[^']{1,500}': (?:Could not resolve host|Failed to connect|Connection timed out|Recv failure|Operation timed out)/,
    detail: server,
    cause: (detail) => `The git server ${detail ?? ''} cannot be reached.`,
    advice: [
      'Check the address of the repository and of its submodules.',
      'Builds cannot reach private networks. The operator of the runner can open some with RUNNER_ALLOW.',
    ],
  },
  {
    name: 'git-transport',
    mark: /^fatal: transport '([^']{1,50})' not allowed/,
    cause: (detail) => `Addresses that begin with ${detail ?? ''}: are not allowed, also not for submodules.`,
    shows: /^fatal: clone of '|^Submodule '/,
    advice: ['Use an address that begins with https: in .gitmodules.'],
  },
];
