import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAccount } from '../../app/account';
import { CommandLine, curlOf } from '../../parts/command';
import { DeadEnd } from '../../parts/failure';
import { Page } from '../../parts/page';
import { IdText } from '../../parts/texts';

/** Addresses that the official clients print: what stands there, and the command that answers until there is a screen. */
const objects: Readonly<Record<string, readonly [name: string, command: (appId: string) => string]>> = {
  destinations: ['Destinations', (appId) => `apps:destinations:list --app-id ${appId}`],
  signing: ['Signing', (appId) => `apps:certificates:list --app-id ${appId}`],
};

export function LaterScreen(): ReactNode {
  const { appId = '', _splat: rest = '' } = useParams({ strict: false });
  const { appOf, lastApp } = useAccount();
  const app = appId === '_' ? lastApp : appOf(appId);
  const [resource = '', id = ''] = rest.split('/');
  if (app !== null && rest === 'webhooks')
    return <Webhooks crumb={app.name} path={`/v1/apps/${app.id}/webhooks`} />;
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

/** Of an organization: the request that answers. */
export function LaterOfOrganizationScreen(): ReactNode {
  const { organizationId = '', _splat: rest = '' } = useParams({ strict: false });
  const { organizations } = useAccount();
  const organization = organizations.find(({ id }) => id === organizationId);
  if (organization === undefined || rest !== 'webhooks') {
    return <DeadEnd title="There is no page at this address" />;
  }
  return <Webhooks crumb={organization.name} path={`/v1/organizations/${organization.id}/webhooks`} />;
}

/** The command-line tool has no webhooks. */
function Webhooks({ crumb, path }: { crumb: string; path: string }): ReactNode {
  return (
    <Page title="Webhooks" crumb={crumb} says="This page has no screen yet. The API answers:">
      <div className="card pad">
        <CommandLine text={curlOf(path)} />
      </div>
    </Page>
  );
}
