import { Injectable } from '@nestjs/common';
import type {
  NewSubmission,
  SubmittedFacts,
} from '../../app-submissions/submissions/submission-creation.service.js';
import { invalidField } from '../../common/errors/app-error.js';
import type { Build } from '../../native-builds/builds/build.entity.js';
import { requireAppleFacts } from './apple-facts.js';
import { requirePlayFacts, requireSameSigner } from './play-facts.js';
import { findPromotable, type PromotableSubmission } from './promotion.js';
import type { RequestedRelease } from './requested-release.js';
import { StoreDeploymentsQueries } from './store-deployments.queries.js';
import { type SubmittedFiles, SubmittedFilesService } from './submitted-files.service.js';
import type { PlayDestination, SubmittableDestination } from './submittable-destination.js';
import { unfitBuild } from './unfit-build.js';

/** What is submitted: a file that is uploaded, or one that the store has. */
export type SubmissionContent = Pick<NewSubmission, 'action' | 'artifact' | 'facts' | 'symbolFiles'>;

/** Finds what of a build goes to a destination. */
@Injectable()
export class SubmissionContentService {
  constructor(
    private readonly files: SubmittedFilesService,
    private readonly queries: StoreDeploymentsQueries,
  ) {}

  /**
   * A file that went to another track of Google Play is promoted: it no longer needs to exist here.
   *
   * @throws InvalidRequestError when the build has not exactly one file for the destination, or the store would refuse
   * it
   */
  async find(
    appId: string,
    build: Build,
    destination: SubmittableDestination,
    options: RequestedRelease,
  ): Promise<SubmissionContent> {
    const files = await this.files.find(build, destination);
    const sha256 = files instanceof Error ? null : files.artifact.sha256;
    const promoted =
      destination.type === 'google-play' ? await this.promotable(appId, build, destination, sha256) : null;
    if (promoted !== null) return toContent(promoted);
    if (files instanceof Error) throw files;
    requireIntact(files);
    const { artifact, symbolFiles } = files;
    const facts = await this.factsOf(appId, files, destination, options);
    return { action: 'submit', artifact, facts, symbolFiles };
  }

  private async promotable(
    appId: string,
    build: Build,
    destination: PlayDestination,
    sha256: string | null,
  ): Promise<PromotableSubmission | null> {
    const { androidPackageName } = destination;
    const found = await this.queries.promotable(appId, androidPackageName, build.id, sha256);
    return findPromotable(found, destination, sha256);
  }

  /** What was read from the file. @throws InvalidRequestError when the store would refuse it */
  private async factsOf(
    appId: string,
    { artifact: { type }, details }: SubmittedFiles,
    destination: SubmittableDestination,
    { acceptsNewSigner }: RequestedRelease,
  ): Promise<SubmittedFacts> {
    if (details === null) throw unfitBuild(`whose ${type} the server has read: build or import it again`);
    if (destination.type === 'apple-app-store-connect') return requireAppleFacts(details, destination);
    const facts = requirePlayFacts(type, details, destination);
    if (!acceptsNewSigner) {
      const last = await this.queries.lastSigner(appId, facts.packageName);
      requireSameSigner(type, facts.signerSha256, last);
    }
    return facts;
  }
}

function toContent(promoted: PromotableSubmission): SubmissionContent {
  const { artifactId: id, artifactType: type, blobId, sizeInBytes, sha256 } = promoted;
  const { packageName, versionName, versionCode, signerSha256 } = promoted;
  const notOfApple = { usesNonExemptEncryption: null, applePlatform: null };
  return {
    action: 'promote',
    artifact: { id, type, blobId, sizeInBytes, sha256 },
    facts: { packageName, versionName, versionCode, signerSha256, ...notOfApple },
    symbolFiles: [],
  };
}

function requireIntact({ artifact: { type }, isDamaged }: SubmittedFiles): void {
  if (!isDamaged) return;
  throw invalidField(
    'appBuildId',
    `appBuildId must be a build whose ${type} is stored well: its bytes are damaged, so build or import it again.`,
  );
}
