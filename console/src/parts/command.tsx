import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyButton } from './texts';

/** The same as a screen does, as a command of the CLI and as a request. */
export interface Command {
  readonly title: string;
  /** Of `@capawesome/cli`; `null`: it has none for this. */
  readonly cli: string | null;
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path of the API, with ids filled in; `null`: it takes more than one request. */
  readonly path: string | null;
  readonly body?: object;
}

export function CommandDialog({
  commands,
  opened,
  onClose,
}: {
  commands: readonly Command[];
  opened: boolean;
  onClose: () => void;
}): ReactNode {
  return (
    <Modal opened={opened} onClose={onClose} title="As command" size={720}>
      <div className="stack">
        {commands.map((command) => (
          <div key={command.title}>
            <h3>{command.title}</h3>
            {command.cli === null ? null : <CommandLine text={`npx @capawesome/cli ${command.cli}`} />}
            {command.path === null ? null : <CommandLine text={curlOf(command.path, command)} />}
          </div>
        ))}
        <p className="small muted">
          <code>$TOKEN</code> is an <a href="/settings/tokens">API token</a>. The command-line tool finds this
          server by <code>API_BASE_URL</code> in <code>.capawesomerc</code>.
        </p>
      </div>
    </Modal>
  );
}

export function CommandLine({ text }: { text: string }): ReactNode {
  return (
    <div className="command">
      <pre>{text}</pre>
      <CopyButton text={text} label="Copy" />
    </div>
  );
}

/** How an app finds this server. @param appId `null`: there is no app yet */
export function PointTheApp({ appId }: { appId: string | null }): ReactNode {
  const id = appId === null ? [] : [`"appId": "${appId}",`];
  return (
    <>
      <b>Point your app at this server.</b> In <code>capacitor.config.json</code>, under{' '}
      <code>plugins.LiveUpdate</code>:
      <CommandLine text={[...id, `"serverDomain": "${location.host}"`].join('\n')} />
    </>
  );
}

/** A request as a command. */
export function curlOf(
  path: string,
  { method = 'GET', body }: Pick<Command, 'method' | 'body'> = {},
): string {
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quote(location.origin + path)}`,
    `-H "Authorization: Bearer $TOKEN"`,
  ];
  if (body !== undefined)
    lines.push(`-H 'Content-Type: application/json'`, `-d ${quote(JSON.stringify(body))}`);
  return lines.join(' \\\n  ');
}

/** A word of a POSIX shell: whatever people have named things, nothing in it is run. */
export function quote(text: string): string {
  return /^[\w./:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
