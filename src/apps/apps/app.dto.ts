import { ApiProperty } from '@nestjs/swagger';
import { type App, type AppType, appTypes } from './app.entity.js';

/** A mobile app. */
export class AppDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ format: 'uuid' })
  organizationId!: string;

  /** @example 'Shop' */
  name!: string;

  @ApiProperty({ enum: appTypes, enumName: 'AppType' })
  type!: AppType;

  /** The default channel: of devices that ask for none. */
  @ApiProperty({ format: 'uuid', type: 'string', nullable: true })
  appChannelId!: string | null;

  /** The default environment of builds. */
  @ApiProperty({ format: 'uuid', type: 'string', nullable: true })
  appEnvironmentId!: string | null;

  /** Whether devices may list the app's channels without a token. */
  appChannelDiscoveryEnabled!: boolean;

  /** The number that the next build gets. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  nextAppBuildNumber!: number;

  /** Where builds run when they do not say; `null`: the server's default. */
  buildStack!: string | null;

  @ApiProperty({ format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ format: 'date-time' })
  updatedAt!: string;
}

/** What is shown of an app. */
export function toAppDto(app: App): AppDto {
  return {
    id: app.id,
    organizationId: app.organizationId,
    name: app.name,
    type: app.type,
    appChannelId: app.defaultChannelId,
    // Environments and build stacks belong to native builds; an app has neither before it has those.
    appEnvironmentId: null,
    appChannelDiscoveryEnabled: app.channelDiscoveryEnabled,
    nextAppBuildNumber: app.nextBuildNumber,
    buildStack: null,
    createdAt: app.createdAt.toISOString(),
    updatedAt: app.updatedAt.toISOString(),
  };
}
