import { readFileSync } from 'node:fs';
import { release } from 'node:os';
import { findClosedHosts, parseAllowedTargets, resolveHosts } from '../network/allowed-targets.js';
import { serverPorts, resolveServer } from '../network/npm-registry.js';
import { ownAddresses } from '../network/routes.js';
import { removeFolder } from '../../folders/remove-folder.js';
import type { ControlGroups } from '../control-groups/control-groups.js';
import type { JobFolders } from '../../folders/job-folders.js';
import type { JobSandbox, Sandbox } from '../sandbox.js';
import type { SandboxOptions } from '../sandbox-options.js';
import { makeSigningFolders } from '../signing-folders.js';
import type { SigningSandbox } from '../signing-sandbox.js';
import { INNER_FOLDERS, type InnerFiles, writeInnerFiles } from './inner-files.js';
import { viewOptions } from './mounts.js';
import { type ReadableFolder, readableFolders } from './readable-folders.js';
import { type CommandFrame, runInSandbox, SPARE_PROCESSES } from './run-command.js';

const MIB = 1024 ** 2;
const OPEN_FILES = 65_536;
/** Memory that a process may pin, in bytes, where the kernel counts it. */
const LOCKED_MEMORY = 65_536;
/** Where a command that signs sees its keys: a file system in memory. */
const INNER_KEYS = '/run/keys';

/** Builds in separate namespaces, on Linux: docs/adr/0037. */
export class BubblewrapSandbox implements Sandbox {
  readonly name = 'bubblewrap';
  readonly isSafe = true;

  private readonly options: SandboxOptions;
  private readonly groups: ControlGroups | null;

  /** @param groups for the kernel to keep the limits; `null`: only the runner does */
  constructor(options: SandboxOptions, groups: ControlGroups | null = null) {
    this.options = options;
    this.groups = groups;
  }

  async open(folders: JobFolders): Promise<JobSandbox> {
    const { allow, npmRegistry, readOnly } = this.options;
    const targets = parseAllowedTargets(allow);
    const resolved = await resolveHosts(targets.hosts);
    const allowed = [...targets.networks, ...resolved.networks];
    const registry = npmRegistry === null ? null : await resolveServer(npmRegistry);
    const ports = registry === null ? [] : serverPorts(registry, allowed, ownAddresses());
    // Its name may be known to this machine only. Whatever the name server says later, these addresses are open.
    const names = ports.map(({ address }) => `${address} ${registry?.host}`);
    const files = await writeInnerFiles(folders, names);
    const readable = await readableFolders(readOnly, [folders.root]);
    const frame = { ...(await this.frameOf(folders, files, readable)), allowed, ports };
    return {
      inner: INNER_FOLDERS,
      npmRegistry: registry?.isLoopback === true ? null : npmRegistry,
      notes: [
        ...notes(this.options, files.seccomp !== null, this.groups !== null),
        ...(registry?.isLoopback === true
          ? [
              `RUNNER_NPM_REGISTRY is ${npmRegistry}, on the loopback of this machine, which builds cannot reach: they do without it.`,
            ]
          : []),
        ...ports.map(
          ({ address, port }) =>
            `The npm registry that this build can reach: ${address}, on port ${port} only.`,
        ),
        ...resolved.unknown.map(
          (host) => `RUNNER_ALLOW names ${host}, which has no IPv4 address now: it stays closed.`,
        ),
        ...targets.ignored.map((network) => `RUNNER_ALLOW names ${network}, but builds have no IPv6.`),
      ],
      run: async (command) =>
        runInSandbox(
          command.opens === undefined ? frame : await opening(frame, files, command.opens),
          command,
        ),
      findClosed: (hosts) => findClosedHosts(hosts, allowed),
    };
  }

  /** @throws SandboxSettingError when a folder of the tools holds more than programs */
  async openSigning({ root }: JobFolders, tools: readonly string[]): Promise<SigningSandbox> {
    const own = await makeSigningFolders(root);
    const files = await writeInnerFiles(own);
    const readable = await readableFolders(tools, [root]);
    const frame = { ...(await this.frameOf(own, files, readable)), allowed: [], ports: [] };
    return {
      folder: own.repo,
      inner: { folder: INNER_FOLDERS.repo, keys: INNER_KEYS },
      memoryMiB: this.options.memoryMiB,
      run: ({ keys, ...command }) => {
        const named = Object.entries(keys).map(([name, bytes]) => [`${INNER_KEYS}/${name}`, bytes]);
        return runInSandbox(frame, {
          ...command,
          cwd: '',
          network: 'none',
          files: Object.fromEntries(named) as Record<string, Uint8Array>,
        });
      },
      close: () => removeFolder(own.root),
    };
  }

  private async frameOf(
    folders: JobFolders,
    files: InnerFiles,
    readable: readonly ReadableFolder[],
  ): Promise<Omit<CommandFrame, 'allowed' | 'ports'>> {
    const { memoryMiB, processes, diskMiB } = this.options;
    const tmpBytes = (memoryMiB * MIB) / 2;
    return {
      folders,
      files,
      view: await viewOptions({ folders, files, readable, tmpBytes }),
      limits: { memory: memoryMiB * MIB, processes, disk: diskMiB * MIB },
      groups: this.groups,
      kernelLimits: kernelLimits(processes, diskMiB * MIB, this.groups !== null),
    };
  }
}

/** A frame in which a server is open, too, on its port only. */
async function opening(frame: CommandFrame, files: InnerFiles, { origin }: URL): Promise<CommandFrame> {
  const server = await resolveServer(origin);
  const ports = serverPorts(server, frame.allowed, ownAddresses());
  // As for the registry: its name may be known to this machine only.
  const names = await files.showHosts(server.addresses.map((address) => `${address} ${server.host}`));
  return { ...frame, ports: [...frame.ports, ...ports], view: [...frame.view, ...names] };
}

function notes(options: SandboxOptions, hasFilter: boolean, hasGroups: boolean): string[] {
  const { allow, memoryMiB, processes, diskMiB } = options;
  const keeper = hasGroups
    ? 'The kernel keeps those of memory and processes (control group), and the runner looks at the disk every few seconds.'
    : 'They are checked four times a second, so that a build can exceed them for a moment.';
  const lines = [
    'Sandbox: bubblewrap. The build has no rights on this machine, sees only its own folders, and reaches the internet but no private network.',
    `Limits: ${memoryMiB} MiB of memory, ${processes} processes and threads, ${diskMiB} MiB on disk. ${keeper}`,
  ];
  if (allow.length > 0) lines.push(`Private networks that this build can reach: ${allow.join(', ')}.`);
  if (!hasFilter) lines.push(`System calls are not filtered on ${process.arch}.`);
  if (hasGroups) return lines;
  if (process.getuid?.() === 0) {
    lines.push(
      'The runner runs as root, so the kernel does not limit processes between two checks. Run it as an ordinary user.',
    );
  } else if (!limitsProcessesByNamespace()) {
    lines.push('Before Linux 5.14, the kernel does not limit processes between two checks.');
  }
  return lines;
}

/**
 * Limits for prlimit.
 *
 * @param hasGroups whether the kernel counts memory that is pinned, which the runner does not see
 */
function kernelLimits(processes: number, diskBytes: number, hasGroups: boolean): string[] {
  const openFiles = Math.min(OPEN_FILES, hardLimitOfOpenFiles());
  const limits = [
    `--fsize=${diskBytes}`,
    '--core=0',
    `--nofile=${openFiles}`,
    `--memlock=${hasGroups ? LOCKED_MEMORY : 0}`,
    '--msgqueue=819200',
  ];
  // Older kernels count all processes of the user of the machine together.
  return limitsProcessesByNamespace() ? [...limits, `--nproc=${processes + SPARE_PROCESSES}`] : limits;
}

function limitsProcessesByNamespace(): boolean {
  const [major = 0, minor = 0] = release().split('.').map(Number);
  return major > 5 || (major === 5 && minor >= 14);
}

function hardLimitOfOpenFiles(): number {
  const [, hard] = /^Max open files\s+\S+\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  return hard === undefined ? OPEN_FILES : Number(hard);
}
