import { Injectable } from '@nestjs/common';
import type { SubmittedArtifact } from '../../app-submissions/submissions/submission-creation.service.js';
import type { SymbolFile } from '../../app-submissions/submissions/submission.entity.js';
import type { ArtifactDetails } from '../../native-builds/artifact-details/artifact-details.entity.js';
import { ArtifactDetailsService } from '../../native-builds/artifact-details/artifact-details.service.js';
import type { BuildArtifact } from '../../native-builds/build-artifacts/build-artifact.entity.js';
import { BuildArtifactsService } from '../../native-builds/build-artifacts/build-artifacts.service.js';
import type { Build } from '../../native-builds/builds/build.entity.js';
import { BlobsService } from '../../storage/blobs/blobs.service.js';
import { chooseArtifact, missingFile, wantedTypeOf } from './submitted-artifact.js';
import type { SubmittableDestination } from './submittable-destination.js';

/** The files of a build that go to a store. */
export interface SubmittedFiles {
  readonly artifact: SubmittedArtifact;
  /** What the API has read from the artifact; `null`: nothing. */
  readonly details: ArtifactDetails | null;
  readonly symbolFiles: readonly SymbolFile[];
  /** Whether the stored bytes are others than those that came. */
  readonly isDamaged: boolean;
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
   * @returns the error about the build when it has no file of the wanted type, or no longer has one
   * @throws InvalidRequestError when the build has several files for it
   */
  async find(build: Build, destination: SubmittableDestination): Promise<SubmittedFiles | Error> {
    const ready = (await this.artifacts.keepReady(build.id)).filter(({ blobId }) => blobId !== null);
    const details = await this.details.find(ready.map(({ id }) => id));
    const candidates = ready.map((artifact) => ({
      artifact,
      formFactor: details.get(artifact.id)?.formFactor ?? null,
    }));
    const chosen = chooseArtifact(candidates, destination);
    if (chosen === null) return missingFile(candidates, destination);
    const { id, blobId } = chosen;
    const { sha256, sizeInBytes, damagedAt } = await this.blobs.get(blobId ?? '');
    return {
      artifact: { id, type: wantedTypeOf(destination), blobId: blobId ?? '', sizeInBytes, sha256 },
      details: details.get(id) ?? null,
      // App Store Connect takes symbols out of the ipa.
      symbolFiles: destination.type === 'google-play' ? symbolsOf(ready) : [],
      isDamaged: damagedAt !== null,
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
