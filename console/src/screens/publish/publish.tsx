import { Textarea, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useBlocker, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { channelQuery, channelsQuery } from '../../api/channels';
import { ApiError, toApiError } from '../../api/client';
import { refreshApp } from '../../api/query-client';
import { releasesQuery } from '../../api/deployments';
import { channelSummary, summariesQuery } from '../../api/summaries';
import type { Channel } from '../../api/types';
import { type Progress, publish, type Published } from '../../api/uploads';
import { useAccount, useOrganizationOf } from '../../app/account';
import { CommandDialog, CommandLine, quote } from '../../parts/command';
import { DeadEnd, FailedScreen, FailureNote } from '../../parts/failure';
import { counted, percent } from '../../parts/format';
import { Banner, EmptyState, Page, RowsSkeleton, Section } from '../../parts/page';
import { freezeEnd } from '../../parts/release';
import { useNow } from '../../parts/texts';
import {
  type Audience,
  AudienceFields,
  firstAudience,
  Outlook,
  planOf,
  problemOf,
  shareOf,
} from './audience';
import type { Choice } from './chosen-files';
import { commandsOf, type Values } from './commands';
import { FilesCard, type Zipped } from './files-card';
import { Upload } from './upload';

/** Publishes a folder or a zip to a channel. Devices get nothing before the button is pressed. */
export function PublishScreen(): ReactNode {
  const { appId } = useParams({ from: '/apps/$appId/publish' });
  const { channel: wanted } = useSearch({ from: '/apps/$appId/publish' });
  const { can } = useAccount();
  const channels = useQuery(channelsQuery(appId));
  const organization = useOrganizationOf(appId);
  const summaries = useQuery(summariesQuery(organization?.id ?? null, [appId]));
  // Without a choice, the channel with the most devices.
  const id = wanted ?? summaries.data?.[0]?.channels[0]?.id;
  const listed = channels.data?.find((each) => each.id === id);
  // The list has the first hundred by name.
  const isOther = id !== undefined && channels.data !== undefined && listed === undefined;
  const other = useQuery({ ...channelQuery(appId, id ?? ''), enabled: isOther });
  if (channels.error !== null && channels.data === undefined) {
    const retry = (): void => void channels.refetch();
    return <FailedScreen error={channels.error} onRetry={retry} what="app" title="Publish" />;
  }
  if (!can(appId, 'bundles:write')) {
    return (
      <DeadEnd title="You may not publish releases of this app">
        It takes the permission to write bundles: an owner or admin can give you such a role.
      </DeadEnd>
    );
  }
  if (isOther && other.error !== null && other.data === undefined) {
    const retry = (): void => void other.refetch();
    return <FailedScreen error={other.error} onRetry={retry} what="channel" title="Publish" />;
  }
  if (channels.data === undefined || summaries.isLoading || other.isLoading) {
    return (
      <Page title="Publish">
        <RowsSkeleton rows={2} />
      </Page>
    );
  }
  const channel = listed ?? other.data ?? channels.data[0];
  if (channel === undefined) {
    return (
      <EmptyState title="This app has no channels">
        Releases go to channels. Create one with the command-line tool:
        <CommandLine text={`npx @capawesome/cli apps:channels:create --app-id ${appId} --name production`} />
      </EmptyState>
    );
  }
  const choices = channel === other.data ? [channel, ...channels.data] : channels.data;
  return <PublishForm appId={appId} channel={channel} channels={choices} />;
}

/** What people typed; `null`: nothing yet, so that the limit of the release before counts. */
type Typed = Pick<Values, 'name' | 'notes'> & { readonly [System in 'android' | 'ios']: string | null };

function PublishForm({
  appId,
  channel,
  channels,
}: {
  appId: string;
  channel: Channel;
  channels: readonly Channel[];
}): ReactNode {
  const [choice, setChoice] = useState<Choice | null>(null);
  const [zipped, setZipped] = useState<Zipped | null>(null);
  const [values, setValues] = useState<Typed>({ name: '', notes: '', android: null, ios: null });
  const [chosen, setAudience] = useState<Audience | null>(null);
  const [state, setState] = useState<'idle' | Progress | ApiError | Published>('idle');
  const [asCommand, setAsCommand] = useState(false);
  /** Stops the upload; `null`: there is none. */
  const abort = useRef<AbortController | null>(null);
  const client = useQueryClient();
  const navigate = useNavigate();
  const organization = useOrganizationOf(appId);
  const summary = channelSummary(
    useQuery(summariesQuery(organization?.id ?? null, [appId])).data,
    appId,
    channel.id,
  );
  const { can } = useAccount();
  const releases = useQuery(releasesQuery(appId, channel.id)).data;
  const last = releases?.find(({ rolloutPlan }) => rolloutPlan != null)?.rolloutPlan;
  const before = releases?.[0]?.appBuild;
  const android = values.android ?? before?.minAndroidAppVersionCode ?? '';
  const ios = values.ios ?? before?.minIosAppVersionCode ?? '';
  const isAsBefore = (values.android === null && android !== '') || (values.ios === null && ios !== '');
  const audience = chosen ?? firstAudience(last);
  const frozenUntil = freezeEnd(channel, useNow());
  const set = (changed: Partial<Typed>): void => setValues({ ...values, ...changed });
  const progress = state !== 'idle' && 'sentBytes' in state ? state : null;
  const isBusy = progress !== null;
  const blocked =
    zipped === null
      ? choice === null
        ? 'Choose files first.'
        : 'The files are still read.'
      : problemOf(audience);
  useBlocker({
    shouldBlockFn: () =>
      abort.current !== null && !confirm('If you leave, the upload stops, and nothing is published.'),
    enableBeforeUnload: () => abort.current !== null,
  });
  useEffect(() => () => abort.current?.abort(), []);

  const start = async (): Promise<void> => {
    if (zipped === null || choice === null) return;
    const running = new AbortController();
    abort.current = running;
    setState({ sentBytes: 0, waitsFor: null });
    const plan = planOf(audience);
    const needsApproval = channel.requiredApprovals > 0;
    try {
      const published = await publish(
        {
          appId,
          channelName: channel.name,
          zip: zipped.zip,
          checksum: zipped.checksum,
          fileName: choice.kind === 'zip' ? choice.name : `${choice.name}.zip`,
          notes: values.notes.trim(),
          name: values.name.trim(),
          share: plan === null ? shareOf(audience) : 0,
          plan,
          needsApproval,
          minNative: { android: android.trim(), ios: ios.trim() },
        },
        setState,
        running.signal,
      );
      abort.current = null;
      await refreshApp(client, appId);
      // What the channel's own screen has shown before is old: it must not be shown for a moment.
      client.removeQueries({ queryKey: ['releases', appId], type: 'inactive' });
      client.removeQueries({ queryKey: ['channel', appId], type: 'inactive' });
      if (published.warnings.length > 0) setState(published);
      else if (published.deploymentId === null)
        await navigate({ to: '/apps/$appId/channels/$channelId', params: { appId, channelId: channel.id } });
      else {
        await navigate({
          to: '/apps/$appId/deployments/$deploymentId',
          params: { appId, deploymentId: published.deploymentId },
          state: { published: true },
        });
      }
    } catch (error) {
      abort.current = null;
      if (running.signal.aborted) setState('idle');
      else setState(toApiError(error));
    }
  };

  return (
    <Page
      title={`Publish to ${channel.name}`}
      crumb={
        <Link to="/apps/$appId/channels" params={{ appId }}>
          Channels
        </Link>
      }
      says="Devices check at their next start. Nothing is delivered before you press Publish."
      actions={[{ label: 'As command', kind: 'more', onClick: () => setAsCommand(true) }]}
    >
      {channel.protectedAt === null ? null : (
        <Banner tone="warn">
          <b>{channel.name} takes signed releases only.</b> The private key is not in the browser. Sign and
          publish with:
          <CommandLine
            text={`npx @capawesome/cli apps:liveupdates:upload --app-id ${appId} --channel ${quote(channel.name)} --path www --private-key private.pem`}
          />
        </Banner>
      )}
      {state === 'idle' || !('warnings' in state) ? null : (
        <Banner
          tone="warn"
          action={
            <Link
              className="button"
              to="/apps/$appId/channels/$channelId"
              params={{ appId, channelId: channel.id }}
            >
              Open {channel.name}
            </Link>
          }
        >
          <b>Published.</b> {state.warnings.join(' ')}
        </Banner>
      )}
      <div className="two">
        <div>
          <Section title="Files">
            <FilesCard choice={choice} isLocked={isBusy} onChoice={setChoice} onZipped={setZipped} />
          </Section>
          <Section title="Release">
            <div className="card pad stack form">
              {channels.length > 1 ? (
                <label>
                  Channel
                  <select
                    className="select"
                    value={channel.id}
                    disabled={isBusy}
                    onChange={({ currentTarget }) =>
                      void navigate({
                        to: '/apps/$appId/publish',
                        params: { appId },
                        search: { channel: currentTarget.value },
                        replace: true,
                      })
                    }
                  >
                    {channels.map(({ id, name }) => (
                      <option key={id} value={id}>
                        {name}
                      </option>
                    ))}
                  </select>
                </label>
              ) : null}
              <TextInput
                label="Name"
                description="Such as 2.4.1. Without one, the release has the number of its build."
                value={values.name}
                maxLength={100}
                onChange={({ currentTarget }) => set({ name: currentTarget.value })}
              />
              <Textarea
                label="Notes"
                description="What is new, for your colleagues. Devices do not get it."
                value={values.notes}
                maxLength={4000}
                autosize
                minRows={2}
                onChange={({ currentTarget }) => set({ notes: currentTarget.value })}
              />
              <AudienceFields
                audience={audience}
                mayPlan={can(appId, 'deployments:write')}
                onChange={setAudience}
              />
              <div className="actions top-aligned">
                <TextInput
                  label="Android version code"
                  description="and newer; empty: all"
                  inputMode="numeric"
                  value={android}
                  onChange={({ currentTarget }) => set({ android: currentTarget.value })}
                />
                <TextInput
                  label="iOS bundle version"
                  description="and newer; empty: all"
                  value={ios}
                  onChange={({ currentTarget }) => set({ ios: currentTarget.value })}
                />
              </div>
              {isAsBefore ? (
                <p className="small muted">The native versions are those of the release before.</p>
              ) : null}
            </div>
          </Section>
        </div>
        <div className="card pad stack">
          <Outlook
            audience={audience}
            devices={summary?.monthly ?? null}
            needsApproval={channel.requiredApprovals > 0}
          />
          {summary?.release == null ? null : (
            <div>
              <div className="small muted">Replaces</div>
              {summary.release}
              {summary.running === null ? '' : `, run by ${counted(summary.running, 'device')}`}
            </div>
          )}
          {channel.requiredApprovals === 0 ? null : (
            <div>
              <div className="small muted">Needs</div>
              the approval of {channel.requiredApprovals} more{' '}
              {channel.requiredApprovals === 1 ? 'person' : 'people'}
            </div>
          )}
          {summary?.status === 'rollingOut' || summary?.status === 'held' ? (
            <Banner tone="warn">
              {summary.release} is at {percent(summary.share)}. This replaces it, and its plan ends.
            </Banner>
          ) : null}
          {frozenUntil === null ? null : (
            <Banner tone="warn">The channel is frozen: the server refuses new releases.</Banner>
          )}
          {state instanceof ApiError ? <FailureNote error={state} /> : null}
          {progress !== null ? (
            <Upload
              progress={progress}
              total={zipped?.zip.size ?? 0}
              onCancel={() => abort.current?.abort()}
            />
          ) : null}
          <button
            type="button"
            className="button main"
            aria-disabled={blocked !== null || isBusy || channel.protectedAt !== null}
            aria-busy={isBusy}
            title={blocked ?? undefined}
            onClick={() =>
              blocked !== null || isBusy || channel.protectedAt !== null ? undefined : void start()
            }
          >
            Publish {values.name.trim()}
          </button>
          {blocked === null || isBusy ? null : <p className="small muted">{blocked}</p>}
        </div>
      </div>
      <CommandDialog
        opened={asCommand}
        onClose={() => setAsCommand(false)}
        commands={commandsOf(channel, choice?.name ?? null, audience, { ...values, android, ios })}
      />
    </Page>
  );
}
