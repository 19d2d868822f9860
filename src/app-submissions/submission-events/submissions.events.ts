import { deploymentPage } from '../../events/console-pages.js';
import { defineEvent, type EventFacts } from '../../events/event-definition.js';
import { inPercent } from '../releases/release-look.js';
import {
  ReleaseActionRequiredEventDto,
  ReleaseStatusEventDto,
  SubmissionStateEventDto,
  type SubmittedAppDto,
} from './submission-event.dto.js';

export const appSubmissionStateChanged = defineEvent<SubmissionStateEventDto>({
  type: 'app_submission_state_changed',
  title: 'Submission state changed',
  description:
    'A submission to a store, or a change of its release, was requested, has another state, or has ended.',
  permission: 'deployments:read',
  of: 'app',
  data: SubmissionStateEventDto,
  facts: (data) => ({
    ...factsOf(data),
    Action: data.action,
    State: data.state,
    Message: data.message,
    Store: data.storeMessage,
    Link: data.link,
  }),
});

export const appReleaseStatusChanged = defineEvent<ReleaseStatusEventDto>({
  type: 'app_release_status_changed',
  title: 'Release status changed',
  description:
    'A release in a store has another status, such as in review or released, or another share of users.',
  permission: 'deployments:read',
  of: 'app',
  data: ReleaseStatusEventDto,
  facts: (data) => ({
    ...factsOf(data),
    Status: data.status,
    Share: data.rolloutPercentage === null ? null : inPercent(data.rolloutPercentage),
    Message: data.message,
    Link: data.link,
  }),
});

export const appReleaseActionRequired = defineEvent<ReleaseActionRequiredEventDto>({
  type: 'app_release_action_required',
  title: 'Release waits for a person',
  description:
    'A release in a store waits for a person: it has to be sent for review, was rejected, was stopped by the store, or is approved and waits for its release.',
  permission: 'deployments:read',
  of: 'app',
  data: ReleaseActionRequiredEventDto,
  facts: (data) => ({
    ...factsOf(data),
    'To do': data.message,
    Store: data.storeMessage,
    Link: data.link,
  }),
  severity: 'warning',
  notice: {
    kind: 'health',
    to: 'readers',
    advice: 'Do what the store or the release waits for.',
    path: ({ appId, objectId }) => `/v1/apps/${appId}/deployments/${objectId}`,
    page: deploymentPage,
  },
});

function factsOf({
  destinationName,
  packageName,
  versionName,
  versionCode,
  track,
}: SubmittedAppDto): EventFacts {
  const version = versionName === null ? versionCode : `${versionName} (${versionCode})`;
  return { Destination: destinationName, Package: packageName, Version: version, Track: track };
}
