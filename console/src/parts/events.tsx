import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { latestEventsQuery } from '../api/events';
import type { SlipwayEvent } from '../api/types';
import { count, percent } from './format';
import { Section } from './page';
import { type Person, personName, TimeAgo } from './texts';

type Data = Readonly<Record<string, unknown>>;

/** What events say about their object, after who caused them. Others show their type. */
const sentences: Readonly<Record<string, (data: Data, build: string) => string>> = {
  app_approval_given: () => 'approved a release',
  app_approval_rejected: () => 'rejected a release',
  app_approval_requested: () => 'asked for an approval',
  app_approval_withdrawn: () => 'withdrew an approval',
  app_build_created: (_, build) => `created ${build}`,
  app_build_started: (_, build) => `started ${build}`,
  app_build_finished: (data) =>
    `build ${data['number'] ?? data['numberAsString'] ?? ''} ended: ${String(data['status'] ?? 'done')}`,
  app_bundle_damaged: () => 'a bundle is damaged in the storage',
  app_channel_expired: (data) => `channel ${nameIn(data)} has expired`,
  app_channel_expiring: (data) => `channel ${nameIn(data)} expires soon`,
  app_channel_paused: (data) => `paused ${nameIn(data)}`,
  app_channel_resumed: (data) => `resumed ${nameIn(data)}`,
  app_channel_updated: (data) => `changed ${nameIn(data)}`,
  app_deployment_created: (data, build) =>
    data['approvalStatus'] === 'pending'
      ? `asked to deploy ${build} to ${nameIn(data)}`
      : `deployed ${build} to ${nameIn(data)}`,
  app_deployment_live: (data, build) =>
    data['rolloutPercentage'] === 0
      ? `${build} is in ${nameIn(data)}, for no device yet`
      : `${build} is live in ${nameIn(data)}${shareIn(data)}`,
  app_deployment_share_changed: (data, build) =>
    `gave ${build} to ${percent((data['after'] as Data | undefined)?.['rolloutPercentage'] as number)} of ${nameIn(data)}`,
  app_deployment_rolled_back: (data, build) => `rolled ${build} back in ${nameIn(data)}`,
  app_import_finished: () => 'an import has ended',
  app_rollbacks_high: (_, build) => `many devices went back from ${build}`,
  app_rollout_aborted: (_, build) => `the plan of ${build} ended`,
  app_rollout_completed: (_, build) => `the plan of ${build} is complete`,
  app_rollout_held: (data, build) =>
    data['reason'] === 'health-gate'
      ? `the health check held ${build}: ${count(Number(data['rolledBackDevices']))} of ${count(Number(data['appliedDevices']))} went back`
      : `held the plan of ${build}`,
  app_rollout_resumed: (_, build) => `resumed the plan of ${build}`,
  app_rollout_step_reached: (data, build) =>
    `the plan raised ${build} to ${percent(Number(data['rolloutPercentage']))}`,
  app_submission_state_changed: (data) =>
    `a submission to ${nameIn(data)} is ${String(data['state'] ?? 'changed').replaceAll('_', ' ')}`,
  app_release_status_changed: (data) =>
    `the store: ${String(data['status'] ?? 'changed').replaceAll('_', ' ')}`,
  app_release_action_required: () => 'the store asks for something',
  native_version_first_seen: (data) =>
    `the native version ${String(data['appVersionName'] || data['appVersionCode'])} has reached users`,
};

/** What people do; everything else happens. */
const DONE =
  /^(approved|rejected|asked|withdrew|created|started|paused|resumed|changed|deployed|gave|rolled|held)\b/;

/** Events that are shown at first, and most of them. */
const [FIRST, MOST] = [5, 100];

/**
 * The newest events of an app, or of one of its objects. Without any, and for roles that may not read events, nothing is
 * shown.
 */
export function EventList({
  title,
  organizationId,
  appId,
  objectIds,
  since,
  names,
}: {
  title: string;
  organizationId: string | null;
  appId: string;
  /** Only events of these objects. */
  objectIds?: readonly string[];
  /** Only events from then on: what happened before has nothing to do with the object. */
  since?: string;
  /** What people call builds, by their ids. */
  names: ReadonlyMap<string, string>;
}): ReactNode {
  const [limit, setLimit] = useState(FIRST);
  const { data: found = [] } = useQuery({
    ...latestEventsQuery(organizationId, appId, objectIds, limit),
    placeholderData: (previous) => previous,
  });
  const data = since === undefined ? found : found.filter(({ event }) => event.createdAt >= since);
  if (data.length === 0) return null;
  return (
    <Section title={title}>
      <div className="card pad small happened">
        {data.map(({ event, user }) => (
          <div key={event.id}>
            <EventSentence event={event} user={user} names={names} />
          </div>
        ))}
        {limit < MOST && data.length === limit ? (
          <div>
            <button type="button" className="button text" onClick={() => setLimit(MOST)}>
              Show more
            </button>
          </div>
        ) : null}
      </div>
    </Section>
  );
}

/** An event in a sentence: who, what, and when. */
function EventSentence({
  event,
  user,
  names = new Map(),
}: {
  event: SlipwayEvent;
  user: Person | undefined;
  /** What people call builds, by their ids. */
  names?: ReadonlyMap<string, string>;
}): ReactNode {
  const data = event.data as Data;
  const text = sentences[event.type]?.(data, buildIn(data, names)) ?? event.type.replaceAll('_', ' ');
  const comment = typeof data['comment'] === 'string' ? data['comment'] : null;
  return (
    <>
      {user === undefined || !DONE.test(text) ? null : <b>{personName(user)} </b>}
      <span className="break capital">{text}</span>
      {comment === null ? null : (
        <>
          {' '}
          <q className="break">{comment}</q>
        </>
      )}
      <span className="muted">
        {' · '}
        <TimeAgo at={event.createdAt} />
      </span>
    </>
  );
}

function nameIn(data: Data): string {
  return String(data['appChannelName'] ?? data['appDestinationName'] ?? data['name'] ?? 'a channel');
}

/** What people call the build of an event, where the screen knows it. */
function buildIn(data: Data, names: ReadonlyMap<string, string>): string {
  const known = names.get(String(data['appBuildId'] ?? data['id'] ?? ''));
  const number = data['appBuildNumber'] ?? data['number'] ?? data['numberAsString'];
  return known ?? (number === undefined ? 'a build' : `build ${String(number)}`);
}

function shareIn(data: Data): string {
  const share = Number(data['rolloutPercentage'] ?? 1);
  return share === 1 ? '' : ` for ${percent(share)}`;
}
