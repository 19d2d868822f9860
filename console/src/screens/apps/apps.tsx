import { TextInput } from '@mantine/core';
import { useQueries, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Fragment, type ReactNode, useEffect, useState } from 'react';
import { createApp } from '../../api/account';
import { MAX_SUMMARIES, summariesQuery, type AppSummary } from '../../api/summaries';
import { type AccountOrganization, useAccount, useFurtherApps } from '../../app/account';
import { ActionDialog } from '../../parts/action-dialog';
import { FailureNote } from '../../parts/failure';
import { count, percent } from '../../parts/format';
import { Banner, EmptyState, Page, RowsSkeleton, Section } from '../../parts/page';
import { Sparkline } from '../../parts/share-bar';
import { ChannelBadge } from '../../parts/channel-row';
import { statusWord } from '../../parts/status';
import { FirstSteps } from './first-steps';
import { Inbox, InboxSentence, useInbox } from './inbox';

/** Apps that the sentence names. */
const NAMED = 2;
/** Milliseconds from the first summaries to those of the apps further down: the first screen comes first. */
const FURTHER_AFTER = 2000;

/** What waits for a person, and the apps of the person, by organization: what devices run, and how each is. */
export function AppsScreen(): ReactNode {
  const { organizations, user } = useAccount();
  const [creating, setCreating] = useState(false);
  const creatable = organizations.filter(({ permissions }) => permissions.has('apps:write'));
  const further = useFurtherApps(organizations, true);
  const { summaries, error, retry } = useSummaries(further);
  const inbox = useInbox();
  const total = totalOf(organizations);
  const create =
    creatable.length === 0 || total === 0 ? null : (
      <button type="button" className="button" onClick={() => setCreating(true)}>
        Create app
      </button>
    );
  const firstWithApps = organizations.find(({ totalApps }) => totalApps > 0);
  return (
    <Page
      title="Inbox"
      says={
        total === 0 ? null : (
          <>
            <InboxSentence inbox={inbox} />
            <AppsSentence summaries={summaries} />
          </>
        )
      }
      banners={
        <>
          {user.emailVerified ? null : (
            <Banner tone="warn">
              <b>Your address {user.email} is not confirmed.</b> Until you open the link that was sent to it,
              you cannot accept invitations.
            </Banner>
          )}
          {organizations
            .filter(({ needsSecondFactor }) => needsSecondFactor)
            .map(({ id, name }) => (
              <Banner
                key={id}
                tone="warn"
                action={
                  <a className="button" href="/settings/two-factor">
                    Set it up
                  </a>
                }
              >
                <b>{name} requires two-factor authentication.</b> You see its apps when you have set it up.
              </Banner>
            ))}
        </>
      }
    >
      {total === 0 ? null : <Inbox inbox={inbox} />}
      <FailureNote error={error} onRetry={retry} what="apps" />
      {organizations.length === 0 ? <NoOrganization /> : null}
      {organizations.map((organization, index) => (
        <OrganizationApps
          key={organization.id}
          organization={organization}
          isReading={further[index]!.isLoading}
          summaries={summaries}
          hasFailed={error !== null}
          isOnly={organizations.length === 1}
          action={organization === firstWithApps ? create : null}
        />
      ))}
      {total === 0 && creatable.length > 0 ? (
        <FirstSteps onCreate={() => setCreating(true)} organizationId={creatable[0]!.id} />
      ) : null}
      {creating ? <CreateAppDialog organizations={creatable} onClose={() => setCreating(false)} /> : null}
    </Page>
  );
}

function NoOrganization(): ReactNode {
  return (
    <EmptyState
      title="You are not a member of an organization"
      action={
        <a className="button" href="/settings/invitations">
          Look at your invitations
        </a>
      }
    >
      Apps belong to organizations. Accept an invitation, or ask a member to invite you.
    </EmptyState>
  );
}

const totalOf = (organizations: readonly AccountOrganization[]): number =>
  organizations.reduce((sum, { totalApps }) => sum + totalApps, 0);

/**
 * The summaries of all apps, as far as they have come, and why one did not: first of the first apps of each organization, and
 * a moment after these of the others.
 *
 * @param further apps that the account does not list
 */
function useSummaries(further: ReturnType<typeof useFurtherApps>): {
  summaries: ReadonlyMap<string, AppSummary>;
  error: Error | null;
  retry: () => void;
} {
  const { organizations, appsOf } = useAccount();
  const [isFirst, setIsFirst] = useState(true);
  const queries = organizations.flatMap(({ id }) => {
    const ids = appsOf(id).map((app) => app.id);
    return Array.from({ length: Math.ceil(ids.length / MAX_SUMMARIES) }, (_, page) => ({
      ...summariesQuery(id, ids.slice(page * MAX_SUMMARIES, (page + 1) * MAX_SUMMARIES)),
      enabled: page === 0 || !isFirst,
    }));
  });
  const results = useQueries({ queries });
  const haveCome = queries.every(({ enabled }, index) => !enabled || !results[index]!.isPending);
  useEffect(() => {
    if (!haveCome || !isFirst) return;
    const timer = setTimeout(() => setIsFirst(false), FURTHER_AFTER);
    return () => clearTimeout(timer);
  }, [haveCome, isFirst]);
  const all = [...further, ...results];
  return {
    summaries: new Map(results.flatMap(({ data }) => data ?? []).map((summary) => [summary.appId, summary])),
    error: all.find((result) => result.error !== null)?.error ?? null,
    retry: () => {
      for (const { error, refetch } of all) if (error !== null) void refetch();
    },
  };
}

/** How the channels with the most devices are that are not as usual, such as "Shop rolls out 2.4.1 to 25 %." */
function AppsSentence({ summaries }: { summaries: ReadonlyMap<string, AppSummary> }): ReactNode {
  const { organizations, appsOf } = useAccount();
  const apps = organizations.flatMap(({ id }) => appsOf(id));
  const news = apps.flatMap(({ id, name }) => {
    const [channel] = summaries.get(id)?.channels ?? [];
    return channel === undefined || ['live', 'empty'].includes(channel.status) ? [] : [{ id, name, channel }];
  });
  return (
    <>
      {news.slice(0, NAMED).map(({ id, name, channel }) => (
        <Fragment key={id}>
          {' '}
          <b className="break">{name}</b> · {channel.name}: {statusWord(channel.status).toLowerCase()}
          {channel.status === 'rollingOut' || channel.status === 'held'
            ? ` at ${percent(channel.share)}`
            : ''}
          .
        </Fragment>
      ))}
      {news.length > NAMED ? ` ${news.length - NAMED} more are not as usual.` : ''}
    </>
  );
}

function OrganizationApps({
  organization,
  isReading,
  summaries,
  hasFailed,
  isOnly,
  action,
}: {
  organization: AccountOrganization;
  /** Whether more of its apps come in a moment. */
  isReading: boolean;
  summaries: ReadonlyMap<string, AppSummary>;
  /** Whether summaries are missing because they could not be read. */
  hasFailed: boolean;
  isOnly: boolean;
  /** Beside the title. */
  action: ReactNode;
}): ReactNode {
  const { appsOf } = useAccount();
  const apps = appsOf(organization.id);
  if (apps.length === 0) {
    if (organization.permissions.has('apps:write') || organization.needsSecondFactor) return null;
    return (
      <EmptyState title={`You see no apps of ${organization.name}`}>
        {organization.role === 'billing'
          ? 'Your role is billing, which sees no apps.'
          : 'An owner or admin can add you to a team with apps, or give you a role that creates some.'}
      </EmptyState>
    );
  }
  return (
    <Section
      title={isOnly ? 'Apps' : `Apps of ${organization.name}`}
      note={count(organization.totalApps)}
      action={action}
    >
      <div className="card">
        {apps.map((app) => (
          <AppRow
            key={app.id}
            id={app.id}
            name={app.name}
            summary={summaries.get(app.id)}
            hasFailed={hasFailed}
          />
        ))}
      </div>
      {isReading ? <RowsSkeleton rows={3} /> : null}
    </Section>
  );
}

function AppRow({
  id,
  name,
  summary,
  hasFailed,
}: {
  id: string;
  name: string;
  summary: AppSummary | undefined;
  hasFailed: boolean;
}): ReactNode {
  const [channel] = summary?.channels ?? [];
  return (
    <Link className="row stack-row" to="/apps/$appId" params={{ appId: id }}>
      <div className="grow">
        <b className="break">{name}</b>
        <div className="muted">
          {channel !== undefined
            ? sentenceOf(channel)
            : summary !== undefined
              ? 'no channels'
              : hasFailed
                ? 'What it delivers could not be read.'
                : '…'}
        </div>
      </div>
      {summary === undefined || summary.days.length < 3 ? null : (
        <Sparkline
          days={summary.days.map(({ daily }) => daily)}
          label={`Devices of the last ${summary.days.length} days`}
        />
      )}
      <div className="fact">
        <b>{count(summary?.monthly)}</b> <span className="small muted">devices in 30 days</span>
      </div>
      <div className="end">{channel === undefined ? null : <ChannelBadge channel={channel} />}</div>
    </Link>
  );
}

function sentenceOf({ name, release, share, running, monthly }: AppSummary['channels'][number]): string {
  if (release === null) return `${name}: nothing deployed yet`;
  const gets = share === 1 ? release : `${release} for ${percent(share)}`;
  const runs = running === null || !monthly ? '' : `, run by ${count(running)} of ${count(monthly)}`;
  return `${name}: ${gets}${runs}`;
}

function CreateAppDialog({
  organizations,
  onClose,
}: {
  organizations: readonly AccountOrganization[];
  onClose: () => void;
}): ReactNode {
  const [name, setName] = useState('');
  const [organizationId, setOrganizationId] = useState(organizations[0]?.id ?? '');
  const client = useQueryClient();
  const navigate = useNavigate();
  return (
    <ActionDialog
      title="Create app"
      confirm="Create app"
      withComment={false}
      onClose={onClose}
      act={async (_comment, key) => {
        const { id } = await createApp(organizationId, name.trim(), key);
        await client.invalidateQueries({ queryKey: ['account'] });
        await navigate({ to: '/apps/$appId', params: { appId: id } });
      }}
    >
      <TextInput
        label="Name"
        value={name}
        maxLength={100}
        required
        data-autofocus
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      {organizations.length > 1 ? (
        <label>
          Organization
          <select
            className="select"
            value={organizationId}
            onChange={({ currentTarget }) => setOrganizationId(currentTarget.value)}
          >
            {organizations.map(({ id, name: label }) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </select>
        </label>
      ) : null}
    </ActionDialog>
  );
}
