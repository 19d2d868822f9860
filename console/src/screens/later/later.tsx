import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAccount } from '../../app/account';
import { CommandLine } from '../../parts/command';
import { DeadEnd } from '../../parts/failure';
import { Page } from '../../parts/page';
import { IdText } from '../../parts/texts';

/** Addresses that the official clients print: what stands there, and the command that answers until there is a screen. */
const objects: Readonly<Record<string, readonly [name: string, command: (appId: string) => string]>> = {
  destinations: ['Destinations', (appId) => `apps:destinations:list --app-id ${appId}`],
};

export function LaterScreen(): ReactNode {
  const { appId = '', _splat: rest = '' } = useParams({ strict: false });
  const { appOf, lastApp } = useAccount();
  const app = appId === '_' ? lastApp : appOf(appId);
  const [resource = '', id = ''] = rest.split('/');
  const found = objects[resource];
  if (app === null || found === undefined || !/^[0-9a-f-]*$/i.test(id)) {
    return <DeadEnd title="There is no page at this address" />;
  }
  const [name, command] = found;
  return (
    <Page
      title={name}
      status={id === '' ? null : <IdText id={id} name="this page" />}
      crumb={app.name}
      says="This page has no screen yet. The command-line tool answers:"
    >
      <div className="card pad">
        <CommandLine text={`npx @capawesome/cli ${command(app.id)}`} />
      </div>
    </Page>
  );
}
