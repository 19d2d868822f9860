import { ApiProperty } from '@nestjs/swagger';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import {
  checkNames,
  type DecisionReason,
  decisionReasons,
  type DeploymentCheck,
  type TraceStep,
} from '../channel-decision/decision.js';

/** Why a decision came out as it did. */
export const ApiDecisionReason = (): PropertyDecorator =>
  ApiProperty({ enum: decisionReasons, enumName: 'DecisionReason' });

/** The input of the decision. */
export class RequestStepDto {
  @ApiProperty({ enum: ['request'] })
  step!: 'request';

  /** `null`: the device has no id, so partial rollouts exclude it. */
  deviceId!: string | null;

  /** The channel that the device requests, trimmed; `null`: the default channel. */
  channelName!: string | null;

  @ApiProperty({ enum: ['android', 'ios', 'electron'], enumName: 'DevicePlatform' })
  platform!: 'android' | 'ios' | 'electron';

  /** @example '10' */
  appVersionCode!: string;

  /** @example '8.4.3' */
  pluginVersion!: string;

  /** `cordova`, `electron`; `null`: Capacitor. */
  runtime!: string | null;

  /** The bundle that runs now; `null`: the one that came with the app. */
  @ApiId()
  bundleId!: string | null;
}

/** One rule of channel selection. The rules are tried in the order `forced`, `requested`, `default`. */
export class ChannelRuleStepDto {
  @ApiProperty({ enum: ['channel-rule'] })
  step!: 'channel-rule';

  @ApiProperty({ enum: ['forced', 'requested', 'default'] })
  rule!: 'forced' | 'requested' | 'default';

  /** `not-set`: the rule does not apply. `not-found`: it names a channel that the app does not have. */
  @ApiProperty({ enum: ['selected', 'not-set', 'not-found'] })
  outcome!: 'selected' | 'not-set' | 'not-found';

  /** What the rule looked for: a name for `requested`, else an id; `null`: not set. */
  value!: string | null;

  /** The selected channel. */
  @ApiId()
  appChannelId!: string | null;
}

/** Whether the selected channel delivers at all. */
export class ChannelStateStepDto {
  @ApiProperty({ enum: ['channel-state'] })
  step!: 'channel-state';

  @ApiProperty({ enum: ['delivering', 'paused', 'expired'] })
  outcome!: 'delivering' | 'paused' | 'expired';

  @ApiId()
  appChannelId!: string;

  @ApiTime()
  pausedAt!: string | null;

  @ApiTime()
  expiresAt!: string | null;

  /** The time that `expiresAt` was compared with. */
  @ApiTime()
  now!: string;
}

/** One check of a deployment and the two values that it compared. */
export class DeploymentCheckDto {
  /**
   * `min`, `max` and `eq`: the version constraints; `eq` excludes. `rollback`: how often the device has rolled the bundle
   * back. `empty-files`: the plugin cannot download empty files, and there is no zip of the bundle. `missing-checksum`: the
   * plugin cannot install a registered bundle without a checksum. `downgrade`: when a newer bundle is withheld to protect the
   * device, it keeps what it runs instead of getting an older one. `reuse`: the device would give files the content of others
   * from the bundle that it runs, so it keeps that one; with `known` as the required value it might, because Slipway does not
   * know what it runs.
   */
  @ApiProperty({ enum: checkNames, enumName: 'DeploymentCheckName' })
  check!: DeploymentCheck['check'];

  /** @example false */
  passed!: boolean;

  /**
   * The required value: `ready`, `approved`, the share (0 to 1), a version, `signed`, `intact`, `checksum`, `known`, or the only
   * type that the device supports.
   */
  @ApiProperty({ oneOf: [{ type: 'string', nullable: true }, { type: 'number' }] })
  required!: string | number | null;

  /** The current value: the status, the bucket of the device (0 to 1), its version, `signed` or `unsigned`, `intact` or `damaged`, `checksum`, the type. */
  @ApiProperty({ oneOf: [{ type: 'string', nullable: true }, { type: 'number' }] })
  actual!: string | number | null;
}

/** One evaluated deployment with all its checks. The newest comes first; the first accepted one is served. */
export class DeploymentStepDto {
  @ApiProperty({ enum: ['deployment'] })
  step!: 'deployment';

  @ApiProperty({ enum: ['accepted', 'rejected'] })
  outcome!: 'accepted' | 'rejected';

  @ApiId()
  appDeploymentId!: string;

  @ApiId()
  bundleId!: string;

  @ApiTime()
  createdAt!: string;

  @ApiProperty({
    type: [DeploymentCheckDto],
    description: 'All checks, also those after one that has failed.',
  })
  checks!: DeploymentCheckDto[];
}

/** The end of the decision. */
export class ResultStepDto {
  @ApiProperty({ enum: ['result'] })
  step!: 'result';

  @ApiDecisionReason()
  outcome!: DecisionReason;

  @ApiId()
  appChannelId!: string | null;

  @ApiId()
  appDeploymentId!: string | null;
}

/** The classes of the steps, by the value of `step`. */
export const stepDtos = {
  request: RequestStepDto,
  'channel-rule': ChannelRuleStepDto,
  'channel-state': ChannelStateStepDto,
  deployment: DeploymentStepDto,
  result: ResultStepDto,
};
export type StepDto = InstanceType<(typeof stepDtos)[keyof typeof stepDtos]>;

/** The response for a step. */
export function toStepDto(step: TraceStep): StepDto {
  switch (step.step) {
    case 'request': {
      const { deviceId, channelName, platform, appVersionCode, pluginVersion, runtime, bundleId } = step;
      return {
        step: step.step,
        deviceId,
        channelName,
        platform,
        appVersionCode,
        pluginVersion,
        runtime,
        bundleId,
      };
    }
    case 'channel-rule': {
      const { rule, outcome, value, channelId } = step;
      return { step: step.step, rule, outcome, value, appChannelId: channelId };
    }
    case 'channel-state': {
      const { outcome, channelId, pausedAt, expiresAt, now } = step;
      return { step: step.step, outcome, appChannelId: channelId, pausedAt, expiresAt, now };
    }
    case 'deployment': {
      const { outcome, deploymentId, bundleId, createdAt, checks } = step;
      return {
        step: step.step,
        outcome,
        appDeploymentId: deploymentId,
        bundleId,
        createdAt,
        checks: checks.map(({ check, passed, required, actual }) => ({ check, passed, required, actual })),
      };
    }
    case 'result': {
      const { outcome, channelId, deploymentId } = step;
      return { step: step.step, outcome, appChannelId: channelId, appDeploymentId: deploymentId };
    }
  }
}
