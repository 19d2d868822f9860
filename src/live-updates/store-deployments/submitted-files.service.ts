import { Injectable } from '@nestjs/common';
import type { SubmittedArtifact } from '../../app-submissions/submissions/new-submission.js';
import type { SymbolFile } from '../../app-submissions/submissions/submission.entity.js';
import { invalidField } from '../../common/errors/app-error.js';
import type { ArtifactDetails } from '../../native-builds/artifact-details/artifact-details.entity.js';
import { ArtifactDetailsService } from '../../native-builds/artifact-details/artifact-details.service.js';
import type { BuildArtifact } from '../../native-builds/build-artifacts/build-artifact.entity.js';
import { BuildArtifactsService } from '../../native-builds/build-artifacts/build-artifacts.service.js';
import type { Build } from '../../native-builds/builds/build.entity.js';
import { BlobsService } from '../../storage/blobs/blobs.service.js';
import { chooseArtifact, wantedTypeOf } from './submitted-artifact.js';
import type { SubmittableDestination } from './submittable-destination.js';

/** The files of a build that go to a store. */
export interface SubmittedFiles {
  readonly artifact: SubmittedArtifact;
  /** What the API has read from the artifact; `null`: nothing. */
  readonly details: ArtifactDetails | null;
  readonly symbolFiles: readonly SymbolFile[];
}

/** Finds what is submitted of a build. */
@Injectable()
export class SubmittedFilesService {
  constructor(
    private readonly artifacts: BuildArtifactsService,
    private readonly details: ArtifactDetailsService,
    private readonly blobs: BlobsService,
  ) {}

  /**
   * The files that go to a destination, locked against retention until the transaction ends.
   *
   * @throws InvalidRequestError when the build has not exactly one file for it, or its bytes are damaged
   */
  async of(build: Build, destination: SubmittableDestination): Promise<SubmittedFiles> {
    const ready = (await this.artifacts.keepReady(build.id)).filter(({ blobId }) => blobId !== null);
    const details = await this.details.find(ready.map(({ id }) => id));
    const candidates = ready.map((artifact) => ({
      artifact,
      formFactor: details.get(artifact.id)?.formFactor ?? null,
    }));
    const { id, blobId } = chooseArtifact(candidates, destination);
    const type = wantedTypeOf(destination);
    const { sha256, sizeInBytes, damagedAt } = await this.blobs.get(blobId ?? '');
    if (damagedAt !== null) {
      throw invalidField(
        'appBuildId',
        `appBuildId must be a build whose ${type} is stored well: its bytes are damaged, so build or import it again.`,
      );
    }
    return {
      artifact: { id, type, blobId: blobId ?? '', sizeInBytes, sha256 },
      details: details.get(id) ?? null,
      // App Store Connect takes symbols out of the ipa.
      symbolFiles: destination.type === 'google-play' ? symbolsOf(ready) : [],
    };
  }
}

/** The runner packs the mapping of R8 and the native symbols to one zip, which may lack either. */
function symbolsOf(artifacts: readonly BuildArtifact[]): SymbolFile[] {
  const zip = artifacts.find(({ type }) => type === 'zip');
  if (zip?.blobId == null) return [];
  const { id: artifactId, blobId, fileSizeInBytes } = zip;
  const file = { artifactId, blobId, sizeInBytes: fileSizeInBytes ?? 0 };
  return [
    { type: 'proguard', path: 'mapping.txt', ...file },
    { type: 'nativeCode', path: 'native-debug-symbols.zip', ...file },
  ];
}
