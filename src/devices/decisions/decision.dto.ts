import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { EXAMPLE_TIME, exampleId } from '../../common/openapi/example-values.js';
import { DiscoveredChannelDto } from '../../live-updates/channels/channel.dto.js';
import type { Decision, DecisionReason } from '../channel-decision/decision.js';
import type { Outage } from '../releases/load-outage.js';
import type { ReleaseChannel, ReleaseDeployment } from '../releases/release-table.js';
import { ApiDecisionReason, type StepDto, stepDtos, toStepDto } from './decision-step.dto.js';
import type { Goal } from './goals.js';
import { RemedyDto } from './remedy.dto.js';

/** A deployment and its bundle. */
export class DecidedDeploymentDto {
  @ApiId()
  id!: string;

  /** The build; `null`: it was deleted. */
  @ApiId()
  appBuildId!: string | null;

  /** The number of the build; `null`: the build was deleted. */
  @ApiProperty({ type: 'string', nullable: true, example: '42' })
  appBuildNumberAsString!: string | null;

  /** The name of the build; `null`: it has none, or was deleted. */
  appBuildName!: string | null;

  /** Id of the bundle. */
  @ApiId()
  bundleId!: string;

  @ApiProperty({ enum: ['zip', 'manifest'], enumName: 'BundleType' })
  artifactType!: 'zip' | 'manifest';

  /** Share of devices that receive it, 0 to 1. */
  @ApiProperty({ minimum: 0, maximum: 1 })
  rolloutPercentage!: number;

  @ApiTime()
  createdAt!: string;
}

/** The newest deployment of a channel, and the changes that the device needs to get it. */
export class GoalDto {
  @ApiProperty({
    type: DiscoveredChannelDto,
    nullable: true,
    description: '`null`: there is no such channel.',
  })
  channel!: DiscoveredChannelDto | null;

  @ApiProperty({ type: DecidedDeploymentDto, nullable: true, description: '`null`: nothing was deployed.' })
  deployment!: DecidedDeploymentDto | null;

  @ApiProperty({ type: [RemedyDto], description: 'All of them are needed. Empty: the device gets it.' })
  remedies!: RemedyDto[];
}

const channelExample = { id: exampleId('Channel'), name: 'production' };
const deploymentExample = {
  id: exampleId('Deployment'),
  appBuildId: exampleId('Build'),
  appBuildNumberAsString: '42',
  appBuildName: '2.4.1',
  bundleId: exampleId('Bundle'),
  artifactType: 'zip',
  rolloutPercentage: 1,
  createdAt: EXAMPLE_TIME,
};
const decisionExample = {
  reason: 'served',
  channel: channelExample,
  deployment: deploymentExample,
  steps: [
    {
      step: 'channel-rule',
      rule: 'default',
      outcome: 'selected',
      value: exampleId('Channel'),
      appChannelId: exampleId('Channel'),
    },
    {
      step: 'result',
      outcome: 'served',
      appChannelId: exampleId('Channel'),
      appDeploymentId: exampleId('Deployment'),
    },
  ],
  goals: [{ channel: channelExample, deployment: deploymentExample, remedies: [] }],
};

const stepReferences = Object.entries(stepDtos).map(([step, dto]) => [step, getSchemaPath(dto)] as const);

/** A time in which a server answered update checks without its database. */
export class StaleReleasesDto {
  /** Devices got what was current at this time at the latest. */
  @ApiTime()
  from!: string;

  /** `null`: it lasts. */
  @ApiTime()
  to!: string | null;
}

/** Which bundle a device gets, and why. */
@ApiExtraModels(...Object.values(stepDtos))
@ApiExample(decisionExample)
export class DecisionDto {
  /** Time of the decision. */
  @ApiTime()
  decidedAt!: string;

  @ApiDecisionReason()
  reason!: DecisionReason;

  @ApiProperty({ type: DiscoveredChannelDto, nullable: true, description: 'The channel that was selected.' })
  channel!: DiscoveredChannelDto | null;

  @ApiProperty({ type: DecidedDeploymentDto, nullable: true, description: 'What the device gets.' })
  deployment!: DecidedDeploymentDto | null;

  @ApiProperty({
    type: 'array',
    description: 'Every step of the decision with the values that it compared, in order.',
    items: {
      oneOf: stepReferences.map(([, $ref]) => ({ $ref })),
      discriminator: { propertyName: 'step', mapping: Object.fromEntries(stepReferences) },
    },
  })
  steps!: StepDto[];

  @ApiProperty({
    type: [GoalDto],
    description:
      'The newest deployment of the selected channel, and of the one that the device asks for, if it is forced to another.',
  })
  goals!: GoalDto[];

  @ApiProperty({
    type: StaleReleasesDto,
    nullable: true,
    description:
      'When the responding process last answered update checks from memory, because the database was not available: checks in this time may have got another bundle than this decision says. `null`: not since its start.',
  })
  staleReleases!: StaleReleasesDto | null;
}

/** The build of a deployment. */
export interface DeployedBuild {
  readonly id: string;
  readonly number: number;
  readonly name: string | null;
}

/** What is known besides the decision itself. */
export interface DecisionContext {
  readonly now: Date;
  readonly goals: readonly Goal[];
  /** By id of the deployment. */
  readonly builds: ReadonlyMap<string, DeployedBuild>;
  readonly outage: Outage | null;
}

/** The response for a decision. */
export function toDecisionDto(
  decision: Decision,
  { now, goals, builds, outage }: DecisionContext,
): DecisionDto {
  const { reason, channel, deployment, trace } = decision;
  return {
    decidedAt: now.toISOString(),
    reason,
    channel: toChannel(channel),
    deployment: toDeployment(deployment, builds),
    steps: trace.map(toStepDto),
    goals: goals.map((goal) => ({
      channel: toChannel(goal.channel),
      deployment: toDeployment(goal.deployment, builds),
      remedies: [...goal.remedies],
    })),
    staleReleases: outage && { from: outage.from.toISOString(), to: outage.to?.toISOString() ?? null },
  };
}

function toChannel(channel: ReleaseChannel | null): DiscoveredChannelDto | null {
  return channel && { id: channel.id, name: channel.name };
}

function toDeployment(
  deployment: ReleaseDeployment | null,
  builds: DecisionContext['builds'],
): DecidedDeploymentDto | null {
  if (deployment === null) return null;
  const build = builds.get(deployment.id);
  return {
    id: deployment.id,
    appBuildId: build?.id ?? null,
    appBuildNumberAsString: build ? String(build.number) : null,
    appBuildName: build?.name ?? null,
    bundleId: deployment.bundle.id,
    artifactType: deployment.bundle.artifactType,
    rolloutPercentage: deployment.rolloutPercentage,
    createdAt: deployment.createdAt.toISOString(),
  };
}
