import type { Request } from 'express';

/**
 * Whether the plugin that downloads a zip takes checksum and signature from the update check, and needs no header of the
 * download: the Capacitor plugin since 8.2 and the Cordova plugin, which send this header with downloads, do. Older ones and
 * unknown clients may not, and the Electron SDK does not say what it is.
 */
export function verifiesZips(request: Request): boolean {
  return (request.headers['x-capawesome-device-id'] ?? '') !== '';
}
