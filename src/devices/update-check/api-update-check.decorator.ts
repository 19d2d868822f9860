import { applyDecorators } from '@nestjs/common';
import { ApiOkResponse, ApiQuery } from '@nestjs/swagger';
import { UpdateDto } from './update.dto.js';

const parameters: readonly [name: string, required: boolean, description: string, example: string][] = [
  ['platform', true, '0 Android, 1 iOS, 2 Electron.', '0'],
  ['appVersionCode', false, 'Native build number, which version constraints are compared with.', '10'],
  ['appVersionName', false, 'Native version.', '1.0.0'],
  [
    'bundleId',
    false,
    'The bundle that runs now; absent: the one that came with the app. A bundle that is withheld never leads to one that is older than this.',
    '0f5c9a52-3a51-4f0e-9f0e-6a1b7a0c7d11',
  ],
  ['channelName', false, 'The channel that the device asks for; absent: the default channel.', 'production'],
  ['customId', false, 'An id that the app itself gave the device.', 'user-42'],
  [
    'deviceId',
    false,
    'Id of the device; without one it is outside partial rollouts.',
    '7f1e4c9a-3f5b-4f0e-9f0e-6a1b7a0c7d11',
  ],
  ['osVersion', false, 'Version of the operating system.', '34'],
  ['pluginVersion', false, 'Version of the live-update plugin.', '8.4.3'],
  ['runtime', false, '`cordova` or `electron`; absent: Capacitor.', 'cordova'],
];

/** Documents the query of an update check, which is read by hand because devices encode it in their own ways. */
export function ApiUpdateCheckQuery(): MethodDecorator {
  return applyDecorators(
    ...parameters.map(([name, required, description, example]) =>
      ApiQuery({ name, required, description, schema: { type: 'string', example } }),
    ),
  );
}

/** Documents an update check. */
export function ApiUpdateCheck(): MethodDecorator {
  const description = 'The bundle that the device should run.';
  return applyDecorators(ApiUpdateCheckQuery(), ApiOkResponse({ type: UpdateDto, description }));
}
