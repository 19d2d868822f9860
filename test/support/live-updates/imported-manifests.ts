import type { Response } from 'supertest';
import type { TestApp } from '../../builders/app.js';
import { type Form, form, send } from '../http/multipart.js';
import { MANIFEST } from './uploads.js';

/** A request that imports the manifest of another server's bundle. */
export function importedManifest(bundleId: string, manifest: string | Buffer): Form {
  return form([
    { name: 'bundleId', content: bundleId },
    { name: 'file', content: manifest, filename: MANIFEST, type: 'application/json' },
  ]);
}

/** Imports the manifest of another server's bundle. */
export function importManifest(app: TestApp, bundleId: string, manifest: string | Buffer): Promise<Response> {
  return send(app.api, 'post', `${app.path}/imported-manifests`, importedManifest(bundleId, manifest));
}
