import { Checkbox, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { certificatesQuery, environmentsQuery, repositoryQuery, startBuild } from '../../api/builds';
import { channelsQuery } from '../../api/channels';
import { refreshApp } from '../../api/query-client';
import type { Build, NewBuild } from '../../api/types';
import { ActionDialog } from '../action-dialog';
import { CommandLine } from '../command';
import { buildTypes, type Platform, platforms, sourceOf } from '../build';
import { FailureNote } from '../failure';
import { Banner } from '../page';

interface StartProps {
  readonly appId: string;
  /** What it is like: the last build, or the one that is run again; `null`: there is none. */
  readonly like: Build | null;
  /** Whether `like` is built again as it was. */
  readonly isAgain: boolean;
  readonly mayDeploy: boolean;
  readonly onClose: () => void;
}

/** Starts a build: of a branch, or again of what another build was made of. */
export function StartBuildDialog({ appId, like, isAgain, mayDeploy, onClose }: StartProps): ReactNode {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [platform, setPlatform] = useState<Platform>(like?.platform ?? 'web');
  const [type, setType] = useState(like?.type ?? null);
  const [ref, setRef] = useState(like?.gitRef ?? (like === null ? 'main' : ''));
  const [environment, setEnvironment] = useState(like?.appEnvironmentId ?? '');
  const [certificate, setCertificate] = useState(like?.appCertificateId ?? '');
  const [deploys, setDeploys] = useState(true);
  const environments = useQuery(environmentsQuery(appId));
  const certificates = useQuery(certificatesQuery(appId));
  const planned = isAgain && mayDeploy ? (like?.channelDeployments ?? []) : [];
  const channels = useQuery({ ...channelsQuery(appId), enabled: planned.length > 0 });

  const sourceId = isAgain ? (like?.appBuildSourceId ?? null) : null;
  const repository = useQuery({ ...repositoryQuery(appId), enabled: sourceId === null });
  const isUnlinked = repository.data === null;
  const types = buildTypes[platform];
  const fitting = (certificates.data ?? []).filter((each) => each.platform === platform);
  const targets = planned.map(
    ({ appChannelId: id }) => channels.data?.find((channel) => channel.id === id)?.name ?? 'a channel',
  );
  const choosePlatform = (next: Platform): void => {
    setPlatform(next);
    setType(buildTypes[next][0] ?? null);
    setCertificate('');
  };
  const title = isAgain && like !== null ? `Run build ${like.numberAsString} again` : 'Start a build';
  return (
    <ActionDialog
      title={title}
      confirm="Start build"
      withComment={false}
      blocked={
        isUnlinked
          ? 'No repository is linked.'
          : sourceId === null && ref.trim() === ''
            ? 'Say what to build: a branch, a tag or a commit.'
            : undefined
      }
      onClose={onClose}
      act={async (_comment, key) => {
        const body: NewBuild = {
          platform,
          ...(type !== null && types.includes(type) && { type }),
          ...(sourceId === null ? { gitRef: ref.trim() } : { appBuildSourceId: sourceId }),
          ...(environment !== '' && { appEnvironmentId: environment }),
          ...(certificate !== '' && { appCertificateId: certificate }),
          ...(like?.platform === platform && {
            ...(like.appConfigurationId !== null && { appConfigurationId: like.appConfigurationId }),
            ...(isAgain && like.releaseNotes !== null && { releaseNotes: like.releaseNotes }),
          }),
          ...(isAgain && like?.job?.stack && { stack: like.job.stack }),
          ...(planned.length > 0 &&
            deploys && { appChannelIds: planned.map(({ appChannelId }) => appChannelId!) }),
        };
        const { id } = await startBuild(appId, body, key);
        void refreshApp(client, appId);
        await navigate({ to: '/apps/$appId/builds/$buildId', params: { appId, buildId: id } });
      }}
    >
      {sourceId !== null ? (
        <p>
          It builds the uploaded source of build {like?.numberAsString} again
          {like?.platform === undefined ? '' : `, for ${platforms[like.platform]}`}.
        </p>
      ) : (
        <>
          {isUnlinked ? (
            <>
              <Banner tone="warn">
                <b>No repository is linked</b> to this app, so there is no branch to build. Link it in a
                folder of the repository:
              </Banner>
              <CommandLine text={`npx @capawesome/cli apps:link --app-id ${appId}`} />
            </>
          ) : null}
          <TextInput
            label="Branch, tag or commit"
            description={
              isAgain && like !== null && sourceOf(like).length > 1
                ? `Build ${like.numberAsString} was made of ${sourceOf(like).join(' at ')}. A branch is built as it is now.`
                : repository.data === null
                  ? undefined
                  : repository.data === undefined
                    ? 'Of the repository that the app is linked to.'
                    : `Of ${repository.data.path}.`
            }
            value={ref}
            maxLength={255}
            required
            data-autofocus
            onChange={({ currentTarget }) => setRef(currentTarget.value)}
          />
          <div>
            <label htmlFor="build-platform">Platform</label>
            <select
              id="build-platform"
              className="select"
              value={platform}
              onChange={({ currentTarget }) => choosePlatform(currentTarget.value as Platform)}
            >
              {Object.entries(platforms).map(([value, name]) => (
                <option key={value} value={value}>
                  {name}
                </option>
              ))}
            </select>
          </div>
        </>
      )}
      {types.length === 0 ? null : (
        <div>
          <label htmlFor="build-type">Type</label>
          <select
            id="build-type"
            className="select"
            value={type ?? types[0]}
            onChange={({ currentTarget }) => setType(currentTarget.value)}
          >
            {types.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </div>
      )}
      <div>
        <label htmlFor="build-environment">Environment</label>
        <select
          id="build-environment"
          className="select"
          value={environment}
          onChange={({ currentTarget }) => setEnvironment(currentTarget.value)}
        >
          <option value="">The default one of the app</option>
          {(environments.data ?? []).map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </div>
      {platform === 'web' && fitting.length === 0 ? null : (
        <div>
          <label htmlFor="build-certificate">Certificate</label>
          <select
            id="build-certificate"
            className="select"
            value={certificate}
            onChange={({ currentTarget }) => setCertificate(currentTarget.value)}
          >
            <option value="">None</option>
            {fitting.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
          {certificates.data !== undefined && fitting.length === 0 ? (
            <div className="field-hint">The app has no certificate for {platforms[platform]}.</div>
          ) : null}
        </div>
      )}
      <FailureNote error={environments.error ?? certificates.error ?? repository.error} />
      {planned.length === 0 ? null : (
        <Checkbox
          label={`Deploy it to ${targets.join(', ')} after success`}
          checked={deploys}
          onChange={({ currentTarget }) => setDeploys(currentTarget.checked)}
        />
      )}
    </ActionDialog>
  );
}
