import { Injectable } from '@nestjs/common';
import { invalidField } from '../../common/errors/app-error.js';
import { decodeManifest, parseManifest } from '../bundle-manifests/manifest.js';
import { ManifestComparisonsService } from '../unsafe-reuse/manifest-comparisons.service.js';
import type { ImportedManifestDto } from './imported-manifest.dto.js';

/** A JSON array without elements, which no bundle can have. */
const EMPTY_LIST = /^[ \t\r\n]*\[[ \t\r\n]*\][ \t\r\n]*$/;

/** Keeps the manifests of bundles that devices have from another server. */
@Injectable()
export class ImportedManifestsService {
  constructor(private readonly comparisons: ManifestComparisonsService) {}

  /**
   * Stores a manifest in place of an earlier one, and compares signed bundles with it.
   *
   * @throws InvalidRequestError when devices could not read it
   * @throws ConflictError when the app has published the bundle itself
   */
  async import(appId: string, bundleId: string, bytes: Uint8Array | null): Promise<ImportedManifestDto> {
    if (bytes === null) throw invalidField('file', 'file is required.');
    const text = decodeManifest(bytes);
    const files = EMPTY_LIST.test(text) ? [] : parseManifest(text);
    // As devices report it.
    const reportedId = bundleId.toLowerCase();
    const unsafeBundleCount = await this.comparisons.import(appId, reportedId, files);
    return { bundleId: reportedId, fileCount: files.length, unsafeBundleCount };
  }
}
