import { ApiProperty, ApiPropertyOptional, IntersectionType, OmitType, PartialType } from '@nestjs/swagger';
import { IsBoolean, IsNotEmpty, IsString } from 'class-validator';
import { UserReferenceDto } from '../../accounts/users/user.dto.js';
import { MAX_BUNDLE_RETENTION_COUNT } from '../../apps/apps/app.entity.js';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { etagOf } from '../../common/etags/version.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { exampleId } from '../../common/openapi/example-values.js';
import { DeploymentDto } from '../deployments/deployment.dto.js';
import { FreezeWindowDto, FreezeWindowInputDto } from '../../common/freezes/freeze-window.dto.js';
import { IsBundleRetentionCount } from '../../apps/apps/bundle-retention-count.decorator.js';
import { IsAllowedRefs } from '../../common/validation/allowed-refs.decorator.js';
import { IsComment } from '../../common/validation/comment.dto.js';
import { IsDateInput } from '../../common/validation/date-input.decorator.js';
import { IsWholeNumber } from '../../common/validation/is-whole-number.decorator.js';
import { IsName } from '../../common/validation/name.decorator.js';
import { IsAbsentOr, IsNullable } from '../../common/validation/optional.decorators.js';
import { IsFreezeWindows, IsRequiredApprovals } from '../../common/freezes/policy-fields.decorators.js';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { RefuseMisnamedLimits } from '../../common/validation/refuse-unknown-fields.decorator.js';
import { QueryText } from '../../common/validation/query-text.decorator.js';
import { Relations } from '../../common/validation/relations.decorator.js';
import { WarningDto } from '../../common/warnings/warning.dto.js';
import { type Channel, MAX_ROLLBACK_LIMIT } from './channel.entity.js';

/** A channel as devices see it when they discover channels. */
export class DiscoveredChannelDto {
  @ApiId()
  id!: string;

  /** @example 'production' */
  name!: string;
}

/** A deployment that a channel can go back to. */
class LastGoodDto {
  @ApiId()
  appDeploymentId!: string;

  /** The build: deploy it again to go back. */
  @ApiId()
  appBuildId!: string;

  /** Number of the build in its app. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  appBuildNumber!: number;
}

/** A named stream of deployments that devices follow. */
@ApiExample({
  appDeploymentId: exampleId('Deployment'),
  rollbackLimit: 2,
  freezeWindows: [],
  allowedRefs: [],
  warnings: [],
})
export class ChannelDto extends DiscoveredChannelDto {
  @ApiId()
  appId!: string;

  /** The active deployment: the newest approved one. */
  @ApiId()
  appDeploymentId!: string | null;

  /** The active deployment, with the relation `appDeployment`. */
  @ApiProperty({ type: DeploymentDto, nullable: true, required: false })
  appDeployment?: DeploymentDto | null;

  /**
   * What to go back to: the newest deployment before the active one, of another build, that all devices got and that was
   * neither stopped by its health gate nor taken back since; `null`: none.
   */
  @ApiProperty({ type: LastGoodDto, nullable: true })
  lastGood!: LastGoodDto | null;

  /** Delivery stops at this time; `null`: never. */
  @ApiTime()
  expiresAt!: string | null;

  /** Start of the pause; `null`: not paused. */
  @ApiTime()
  pausedAt!: string | null;

  /** Since this time, only signed bundles are delivered; `null`: not protected. */
  @ApiTime()
  protectedAt!: string | null;

  /** People other than its creator who must approve a deployment before it is delivered. */
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 5 })
  requiredApprovals!: number;

  /** Freeze windows, in which no deployment starts or grows. */
  @ApiProperty({ type: [FreezeWindowDto] })
  freezeWindows!: FreezeWindowDto[];

  /** Patterns of the only branches and tags from which automations may send builds; empty: all are allowed. */
  allowedRefs!: string[];

  /** How many of the newest bundles of the channel to keep, besides those in use; `null`: the setting of the app. */
  @ApiProperty({ type: 'integer', nullable: true, minimum: 1, maximum: MAX_BUNDLE_RETENTION_COUNT })
  bundleRetentionCount!: number | null;

  /**
   * After so many roll-backs of a bundle, a device is not offered the bundle again in the same native version; `null`: it
   * always is.
   */
  @ApiProperty({ type: 'integer', nullable: true, minimum: 1, maximum: MAX_ROLLBACK_LIMIT })
  rollbackLimit!: number | null;

  /** Number of deployments to the channel. */
  @ApiProperty({ type: 'integer' })
  totalAppDeployments!: number;

  /** Number of devices whose last check requested the channel. */
  @ApiProperty({ type: 'integer' })
  totalAppDevices!: number;

  /** What a user said who paused, resumed or changed it last; `null`: nothing. */
  @ApiProperty({ type: 'string', nullable: true })
  comment!: string | null;

  /** The user who changed it last; `null`: no user has, or the user was deleted. */
  @ApiProperty({ type: UserReferenceDto, nullable: true })
  updatedBy!: UserReferenceDto | null;

  /** What a change means for devices. Only the response to a change has any. */
  warnings!: WarningDto[];

  /**
   * Send it as `If-Match` to change the channel only if it is still as shown here.
   * @example '"0199b0c2-7c1e-7ce4-a683-e7013a18cdf3.2."'
   */
  etag!: string;

  @ApiTime()
  createdAt!: string;

  @ApiTime()
  updatedAt!: string;
}

/** A channel in a list: all of it, or without a token only `id` and `name`. */
export class ListedChannelDto extends IntersectionType(
  DiscoveredChannelDto,
  PartialType(OmitType(ChannelDto, ['id', 'name'] as const)),
) {}

/** Data of a channel that comes from other tables. */
export interface ChannelSummary {
  readonly latestDeploymentId: string | null;
  readonly lastGood: LastGoodDto | null;
  readonly totalDeployments: number;
  readonly totalDevices: number;
}

/** The part of a channel that devices may see. */
export function toDiscoveredChannelDto(channel: Channel): DiscoveredChannelDto {
  return { id: channel.id, name: channel.name };
}

/** What belongs to a channel besides its own columns. */
export interface ChannelParts {
  readonly summary: ChannelSummary;
  readonly updatedBy: UserReferenceDto | null;
  /** The active deployment, if requested. */
  readonly deployment?: DeploymentDto | null;
}

/** The response for a channel. */
export function toChannelDto(channel: Channel, { summary, updatedBy, deployment }: ChannelParts): ChannelDto {
  return {
    id: channel.id,
    appId: channel.appId,
    name: channel.name,
    appDeploymentId: summary.latestDeploymentId,
    ...(deployment === undefined ? {} : { appDeployment: deployment }),
    lastGood: summary.lastGood,
    expiresAt: channel.expiresAt?.toISOString() ?? null,
    pausedAt: channel.pausedAt?.toISOString() ?? null,
    protectedAt: channel.protectedAt?.toISOString() ?? null,
    requiredApprovals: channel.requiredApprovals,
    freezeWindows: channel.freezeWindows.map(({ from, to, reason }) => ({ from, to, reason })),
    allowedRefs: channel.allowedRefs,
    bundleRetentionCount: channel.bundleRetentionCount,
    rollbackLimit: channel.rollbackLimit,
    totalAppDeployments: summary.totalDeployments,
    totalAppDevices: summary.totalDevices,
    comment: channel.comment,
    updatedBy,
    warnings: [],
    etag: etagOf(channel),
    createdAt: channel.createdAt.toISOString(),
    updatedAt: channel.updatedAt.toISOString(),
  };
}

/** A new channel. */
@RefuseMisnamedLimits(ChannelDto)
export class CreateChannelDto {
  /**
   * Unique in the app, ignoring case.
   * @example 'production'
   */
  @IsName()
  name!: string;

  /** Whether only signed bundles are delivered. */
  @IsAbsentOr()
  @IsBoolean({ message: '$property must be true or false.' })
  protected?: boolean;

  /** Delivery stops at this time; `null`: never. Also accepts Unix milliseconds. */
  @IsNullable()
  @IsDateInput()
  expiresAt?: Date | null;

  /**
   * How many people other than its creator must approve a deployment before it is delivered; 0 or `null`:
   * none. Requires the permission `channels:govern`. Existing deployments keep their number.
   */
  @IsRequiredApprovals()
  requiredApprovals?: number | null;

  /**
   * Freeze windows, in which no deployment starts or grows. Replaces all existing windows; `null`: none. Requires the
   * permission `channels:govern`.
   */
  @IsFreezeWindows()
  freezeWindows?: FreezeWindowInputDto[] | null;

  /**
   * Automations may only send builds of branches and tags here that match one of these patterns; empty or `null`: all. Patterns
   * mean branches unless they begin with `refs/`, such as `refs/tags/v*`. Requires the permission `channels:govern`.
   */
  @IsNullable()
  @ApiPropertyOptional({ nullable: true })
  @IsAllowedRefs()
  allowedRefs?: string[] | null;

  /** How many of the newest bundles of the channel to keep, besides those in use; `null`: the setting of the app. */
  @IsNullable()
  @IsBundleRetentionCount()
  bundleRetentionCount?: number | null;

  /**
   * After so many roll-backs of a bundle, a device is not offered the bundle again in the same native version; `null`: it
   * always is. A new channel has 2.
   */
  @IsNullable()
  @ApiPropertyOptional({ nullable: true })
  @IsWholeNumber(1, MAX_ROLLBACK_LIMIT)
  rollbackLimit?: number | null;
}

/** Which channel to delete. */
export class DeleteChannelQuery {
  /**
   * The name of the channel, ignoring case.
   * @example 'beta'
   */
  @IsNotEmpty({ message: '$property is required.' })
  @IsString({ message: '$property is required.' })
  name!: string;
}

/** What to include with a channel. */
export class GetChannelQuery {
  @Relations('appDeployment')
  relations?: string[];
}

/** Which channels to list. */
export class ListChannelsQuery extends PageQuery {
  /** Only the channel with exactly this name, ignoring case. */
  @QueryText()
  name?: string;

  /** Only channels whose id or name contains this text, ignoring case. Without a token, only names are searched. */
  @QueryText()
  query?: string;

  @Relations('appDeployment')
  relations?: string[];
}

/** Changes to a channel; absent fields stay as they are, `null` clears. */
@ApiExample({ name: 'beta' })
@RefuseMisnamedLimits(ChannelDto)
export class UpdateChannelDto extends PartialType(CreateChannelDto, { skipNullProperties: false }) {
  /** Comment for people, at most 1,000 characters. */
  @IsComment()
  comment?: string | null;
}
