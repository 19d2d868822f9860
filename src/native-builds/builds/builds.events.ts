import { defineEvent, type EventFacts } from '../../events/event-definition.js';
import { BuildDto } from './build.dto.js';
import { BuildFinishedEventDto, BuildStartedEventDto } from './build-event.dto.js';

export const appBuildCreated = defineEvent<BuildDto>({
  type: 'app_build_created',
  title: 'Build created',
  description: 'A build was requested, an import was announced, or a bundle was uploaded or registered.',
  permission: 'builds:read',
  of: 'app',
  data: BuildDto,
  facts: (build) => ({ ...factsOf(build), Commit: firstLine(build.gitCommitMessage) }),
});

export const appBuildStarted = defineEvent<BuildStartedEventDto>({
  type: 'app_build_started',
  title: 'Build started',
  description: 'A runner has started a build. A build whose runner was lost starts again.',
  permission: 'builds:read',
  of: 'app',
  data: BuildStartedEventDto,
  facts: factsOf,
});

export const appBuildFinished = defineEvent<BuildFinishedEventDto>({
  type: 'app_build_finished',
  title: 'Build finished',
  description: 'A build of a runner has succeeded, failed, timed out, or was canceled or rejected.',
  permission: 'builds:read',
  of: 'app',
  data: BuildFinishedEventDto,
  facts: endOf,
});

export const appImportFinished = defineEvent<BuildFinishedEventDto>({
  type: 'app_import_finished',
  title: 'Import finished',
  description:
    'The import of a build that was made elsewhere has succeeded, failed, timed out, or was canceled.',
  permission: 'builds:read',
  of: 'app',
  data: BuildFinishedEventDto,
  facts: endOf,
});

function factsOf({
  numberAsString,
  platform,
  type,
  gitRef,
}: Pick<BuildDto, 'numberAsString' | 'platform' | 'type' | 'gitRef'>): EventFacts {
  return { Build: `#${numberAsString}`, Platform: platform, Type: type, Branch: gitRef };
}

function endOf(build: BuildFinishedEventDto): EventFacts {
  const { status, statusMessage, failedStep, displayName, packageVersion, durationInSeconds } = build;
  return {
    ...factsOf(build),
    Status: status,
    Reason: statusMessage,
    'Failed step': failedStep,
    Name: displayName,
    Version: packageVersion,
    'Run time': durationInSeconds === null ? null : `${durationInSeconds} s`,
  };
}

function firstLine(text: string | null): string | null {
  return text?.split('\n', 1)[0] ?? null;
}
