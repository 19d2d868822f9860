import type { ApiDocument } from '../permissions.ts';
import { replaceSection } from '../sections.ts';
import { table } from '../table.ts';
import { cliCommands } from './cli-commands.ts';
import { SDK_VERSION, sdkRequests } from './sdk-requests.ts';

/** The page docs/clients.md with current lists between its markers. The rest of the page stays as it is. */
export function renderClients(page: string, document: ApiDocument): string {
  const requests = requestsOf(document);
  return replaceSection(replaceSection(page, 'commands', renderCommands()), 'sdk', renderSdk(requests));
}

/** The requests that Slipway answers, such as `GET /v1/apps/{id}`: every parameter is called `id`. */
export function requestsOf({ paths }: ApiDocument): ReadonlySet<string> {
  return new Set(
    Object.entries(paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => withAnonymousIds(`${method.toUpperCase()} ${path}`)),
    ),
  );
}

/** A request whose parameters are all called `id`. */
export function withAnonymousIds(request: string): string {
  return request.replace(/\{\w+\}/g, '{id}');
}

function renderCommands(): string {
  const all = Object.entries(cliCommands);
  const groups = [...new Set(all.map(([command]) => groupOf(command)))];
  const rows = groups.map((group) => {
    const members = all.filter(([command]) => groupOf(command) === group);
    const works = members.filter(([, status]) => isAvailable(status));
    return [
      group === '' ? '(none)' : `\`${group}\``,
      list(works),
      list(members.filter((it) => !works.includes(it))),
    ];
  });
  const count = all.filter(([, status]) => isAvailable(status)).length;
  return [
    `${count} of the ${all.length} commands work. A test runs each of them.\n`,
    table(['Prefix', 'Works', 'Does not work'], rows),
  ].join('\n');
}

const isAvailable = (status: string): boolean => status === 'works' || status === 'local';

const groupOf = (command: string): string => command.split(':').slice(0, -1).join(':');

const list = (commands: readonly (readonly [string, string])[]): string =>
  commands
    .map(
      ([command, status]) => `\`${command.split(':').at(-1)}\`${status === 'retired' ? ` (${status})` : ''}`,
    )
    .join(', ') || '–';

function renderSdk(requests: ReadonlySet<string>): string {
  const all = Object.values(sdkRequests).flat();
  const rows = Object.entries(sdkRequests).map(([resource, sent]) => {
    const count = sent.filter((request) => requests.has(request)).length;
    return [`\`${resource}\``, `${count} of ${sent.length}`];
  });
  const count = all.filter((request) => requests.has(request)).length;
  return [
    `Slipway has ${count} of the ${all.length} requests of version ${SDK_VERSION}:\n`,
    table(['Resource', 'Requests that Slipway has'], rows),
  ].join('\n');
}
