import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { summariesQuery, type AppSummary } from '../../api/summaries';
import { useAccount, useOrganizationOf } from '../../app/account';
import { CommandDialog } from '../../parts/command';
import { ChannelBadge, ChannelRow } from '../../parts/channel-row';
import { FailedScreen, NoSuchApp } from '../../parts/failure';
import { count, duration, percent } from '../../parts/format';
import { type Action, EmptyState, Page, RowsSkeleton, Section } from '../../parts/page';
import { useNow } from '../../parts/texts';
import { Adoption } from './adoption';
import { LatestBuilds, LatestEvents, Stores } from './aside';

/** Channels that the overview shows; the list of channels has all of them. */
const CHANNELS = 6;

/** An app: what its channels give to devices, what devices run, and what has happened. */
export function OverviewScreen(): ReactNode {
  const { appId } = useParams({ from: '/apps/$appId/' });
  const { appOf, can } = useAccount();
  const organization = useOrganizationOf(appId);
  const app = appOf(appId);
  const summaries = useQuery(summariesQuery(organization?.id ?? null, [appId]));
  const [asCommand, setAsCommand] = useState(false);
  const navigate = useNavigate();
  if (app === null) return <NoSuchApp />;
  const summary = summaries.data?.find((each) => each.appId === appId);
  if (summaries.error !== null && summary === undefined) {
    const retry = (): void => void summaries.refetch();
    return <FailedScreen error={summaries.error} onRetry={retry} what="app" title={app.name} />;
  }
  const [main] = summary?.channels ?? [];
  const actions: Action[] = [
    ...(main === undefined || !can(appId, 'bundles:write')
      ? []
      : [
          {
            label: 'Publish',
            kind: 'main' as const,
            onClick: () =>
              void navigate({
                to: '/apps/$appId/publish',
                params: { appId },
                search: { channel: main.id },
              }),
          },
        ]),
    { label: 'As command', kind: 'more' as const, onClick: () => setAsCommand(true) },
  ];
  return (
    <Page
      title={app.name}
      status={main === undefined ? null : <ChannelBadge channel={main} />}
      says={summary === undefined ? null : <AppSentence summary={summary} />}
      actions={actions}
    >
      <div className="two">
        <div>
          <Section title="Channels">
            {summary === undefined ? (
              <RowsSkeleton />
            ) : summary.channels.length === 0 ? (
              <EmptyState title="This app has no channels">
                Devices get releases from channels, such as production or beta.
              </EmptyState>
            ) : (
              <div className="card">
                {summary.channels.slice(0, CHANNELS).map((channel) => (
                  <ChannelRow key={channel.id} appId={appId} channel={channel} />
                ))}
              </div>
            )}
            {summary !== undefined && summary.totalChannels > CHANNELS ? (
              <p className="small more">
                <Link className="link" to="/apps/$appId/channels" params={{ appId }}>
                  All {count(summary.totalChannels)} channels
                </Link>
              </p>
            ) : null}
          </Section>
          <Adoption appId={appId} />
        </div>
        <div>
          <LatestBuilds appId={appId} />
          <Stores submissions={summary?.openSubmissions ?? []} total={summary?.totalOpenSubmissions ?? 0} />
          <LatestEvents appId={appId} organizationId={organization?.id ?? null} />
        </div>
      </div>
      <CommandDialog
        opened={asCommand}
        onClose={() => setAsCommand(false)}
        commands={[
          {
            title: 'The channels of this app',
            cli: `apps:channels:list --app-id ${appId}`,
            path: `/v1/apps/${appId}/channels`,
          },
          {
            title: 'What this page counts',
            cli: null,
            path: `/v1/organizations/${organization?.id ?? ''}/app-summaries?ids=${appId}`,
          },
        ]}
      />
    </Page>
  );
}

/** How the app is, in a sentence about the channel with the most devices. */
function AppSentence({ summary }: { summary: AppSummary }): ReactNode {
  const now = useNow();
  const [channel] = summary.channels;
  if (channel === undefined) return null;
  const { release, share, running, monthly, nextStep, status } = channel;
  if (release === null) {
    return (
      <>
        Nothing is deployed to <b>{channel.name}</b> yet.
      </>
    );
  }
  const runs =
    monthly === 0 ? (
      'No device has asked for it yet'
    ) : running === null || monthly === null ? null : (
      <>
        <b>{count(running)}</b> of <b>{count(monthly)}</b> devices run it
      </>
    );
  if (status === 'paused' || status === 'expired') {
    return (
      <>
        <b>{channel.name}</b> {status === 'paused' ? 'is paused' : 'has expired'}: devices keep what they run.
      </>
    );
  }
  if (status === 'notDelivered') {
    return (
      <>
        <b>{release}</b> is not delivered to <b>{channel.name}</b> yet.
      </>
    );
  }
  const left = nextStep === null ? 0 : nextStep.at.getTime() - now.getTime();
  return (
    <>
      <span className="capital">{channel.name}</span> gives <b>{release}</b> to{' '}
      {share === 1 ? 'all devices' : `${percent(share)} of devices`}.{runs === null ? null : <> {runs}</>}
      {nextStep === null || left <= 0 ? (
        runs === null ? null : (
          '.'
        )
      ) : (
        <>
          {runs === null ? ' The' : '; the'} plan raises to {percent(nextStep.share)} in {duration(left)}.
        </>
      )}
    </>
  );
}
