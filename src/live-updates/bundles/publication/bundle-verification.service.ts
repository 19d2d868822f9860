import { hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import pLimit from 'p-limit';
import { databaseNow } from '../../../common/database-clock.js';
import {
  AppError,
  InvalidRequestError,
  invalidField,
  OtherBytesError,
} from '../../../common/errors/app-error.js';
import { StorageFailure } from '../../../common/errors/storage-failure.js';
import type { Warning } from '../../../common/warnings/warning.js';
import { BlobChecksService } from '../../../storage/blobs/blob-checks.service.js';
import { BlobsService } from '../../../storage/blobs/blobs.service.js';
import type { ByteRange } from '../../../storage/object-storage.js';
import { StorageFailures } from '../../../storage/storage-failures.js';
import type { OpenRange } from '../../../storage/zips/range-reader.js';
import { VerifiedRanges } from '../../../storage/zips/verified-ranges.js';
import {
  UploadedFilesQueries,
  type CompleteFile,
  isComplete,
  type UploadedFile,
} from './uploaded-files.queries.js';
import type { BundleType } from '../bundle.entity.js';
import { contentDigest } from '../../bundle-content/content-digest.js';
import { MANIFEST_HREF } from '../../bundle-content/href.js';
import { findPathWarnings, missingFlagsWarning } from '../../bundle-content/bundle-warnings.js';
import {
  decodeManifest,
  MAX_MANIFEST_BYTES,
  MAX_MANIFEST_FILES,
  type ManifestItem,
  parseManifest,
  verifyManifest,
} from '../../bundle-manifests/manifest.js';
import { findCarriedManifest } from '../../bundle-manifests/carried-manifest.js';
import { invalidSignature, refusal } from '../../bundle-content/bundle-errors.js';
import { SignatureVerifier } from '../../bundle-content/signatures.js';
import { inspectZip } from '../../bundle-zips/inspect-zip.js';
import type { UnflaggedEntry } from '../../bundle-zips/utf8-flags.js';

/** How many stored files are looked at, or read, at once. */
const PARALLEL = 8;
/** Bytes that were verified within this time are not read again, in milliseconds: a day. */
const TRUSTED_FOR = 24 * 3_600_000;
/** Files beyond those of the largest manifest that clients upload without listing them. */
const MAX_UNLISTED_FILES = 1000;

/** Which bundle is to be verified. */
export interface VerifiedBundle {
  readonly appId: string;
  readonly id: string;
  readonly type: BundleType;
  /** The file that is the zip, as far as the client says; `null`: it says nothing. */
  readonly fileId: string | null;
}

/** What was verified. It is valid as long as `isSame` returns true. */
export interface Verification {
  /** The zip or the manifest. */
  readonly main: CompleteFile;
  readonly files: readonly CompleteFile[];
  /** Whether every file is signed: with a key of the app, if it has any. */
  readonly signed: boolean;
  /** What the manifest lists, also one in a zip; `null`: the zip has none. */
  readonly manifest: readonly ManifestItem[] | null;
  /** What devices that run a manifest bundle have instead; `null`: they have `manifest`. See `findCarriedManifest`. */
  readonly carried: readonly ManifestItem[] | null;
  /** Entries of an unsigned zip that lack the UTF-8 flag. Devices get the zip with it. */
  readonly unflagged: readonly UnflaggedEntry[];
  /** What may surprise on devices. */
  readonly warnings: readonly Warning[];
  /** Everything that the result depends on. */
  readonly fingerprint: string;
  /** See `contentDigest`. */
  readonly contentDigest: string;
}

/** What the manifest or the zip was found to be. */
type VerifiedContent = Pick<
  Verification,
  'manifest' | 'carried' | 'unflagged' | 'warnings' | 'contentDigest'
>;

/**
 * Verifies a bundle by what is in storage and by nothing that the client said. Runs outside of transactions, because it
 * reads storage; the transaction that publishes compares the fingerprint.
 */
@Injectable()
export class BundleVerificationService {
  constructor(
    private readonly files: UploadedFilesQueries,
    private readonly blobs: BlobsService,
    private readonly checks: BlobChecksService,
    private readonly failures: StorageFailures,
  ) {}

  /** @throws InvalidRequestError naming the first files that are missing, damaged, wrong or wrongly signed */
  async verify(bundle: VerifiedBundle): Promise<Verification> {
    await this.requireBounded(bundle);
    const [uploaded, keys] = await this.inputs(bundle);
    const main = bundle.type === 'manifest' ? manifestFile(uploaded) : zipFile(uploaded, bundle.fileId);
    const files = uploaded.filter(isComplete);
    await this.requireSound(files);
    const judge = (openZip: OpenRange): Promise<VerifiedContent> =>
      bundle.type === 'manifest' ? this.verifyManifest(main, uploaded) : verifyZip(openZip, main);
    const openZip = (range: ByteRange): Promise<Readable> => this.blobs.openRange({ id: main.blobId }, range);
    const content = await judge(openZip).catch((error: unknown) =>
      this.judgeAgain(error, main, openZip, judge).catch((cause: unknown) => this.fail(cause)),
    );
    await requireValidSignatures(files, keys);
    const signed = files
      .filter(isDelivered(bundle.type, content.manifest))
      .every(({ signature }) => signature !== null);
    return { main, files, signed, ...content, fingerprint: fingerprintOf(uploaded, keys) };
  }

  /** Whether a bundle is still the one that was verified. To be asked while its artifact is locked. */
  async isSame(bundle: VerifiedBundle, { fingerprint }: Verification): Promise<boolean> {
    return fingerprintOf(...(await this.inputs(bundle))) === fingerprint;
  }

  private async inputs({ appId, id }: VerifiedBundle): Promise<[UploadedFile[], string[]]> {
    return [await this.files.uploaded(id), await this.files.publicKeys(appId)];
  }

  private async requireBounded({ id }: VerifiedBundle): Promise<void> {
    const count = await this.files.count(id);
    if (count > MAX_MANIFEST_FILES + MAX_UNLISTED_FILES) {
      throw new InvalidRequestError(
        `The bundle has ${count} files, and at most ${MAX_MANIFEST_FILES} are allowed.`,
        'invalid_manifest',
      );
    }
  }

  /** Every file is in storage with its length, and was read completely since yesterday. */
  private async requireSound(files: readonly CompleteFile[]): Promise<void> {
    const byBlob = Map.groupBy(files, ({ blobId }) => blobId);
    const damaged = new Set<string>();
    const limit = pLimit(PARALLEL);
    const checked = limit.map(byBlob.values(), async ([file]) => {
      if (file === undefined) return;
      const blob = { ...file, id: file.blobId };
      // Clocks may have been ahead.
      const isTrusted = Math.abs(databaseNow().getTime() - file.verifiedAt.getTime()) < TRUSTED_FOR;
      const damage = await (isTrusted ? this.checks.checkPresence(blob) : this.checks.verify(blob));
      if (damage !== null) damaged.add(file.blobId);
    });
    // After a failure, no further file is read.
    await checked.finally(() => limit.clearQueue());
    const problems = files
      .filter(({ blobId }) => damaged.has(blobId))
      .map((file) => `${nameOf(file)} is damaged in storage and has to be uploaded again`);
    if (problems.length > 0)
      throw refusal('The bundle is not complete', 'incomplete_bundle', 'files', problems);
  }

  /**
   * Before the client is blamed for a file: a store may have sent other bytes than it was given. Looks whether the file is
   * damaged, and judges it by bytes that are compared.
   *
   * @throws OtherBytesError when the store goes on to send others
   */
  private async judgeAgain(
    error: unknown,
    main: CompleteFile,
    openZip: OpenRange,
    judge: (openZip: OpenRange) => Promise<VerifiedContent>,
  ): Promise<VerifiedContent> {
    const isOfClient = error instanceof AppError && error.status < 500;
    if (!isOfClient && !(error instanceof OtherBytesError)) throw error;
    await this.requireSound([{ ...main, verifiedAt: new Date(0) }]);
    if (main.href === MANIFEST_HREF) return judge(openZip);
    const verified = await VerifiedRanges.of(await this.blobs.open({ id: main.blobId }), main, openZip);
    return judge((range) => verified.open(range));
  }

  /** Counts and logs that the store has sent other bytes. */
  private fail(error: unknown): never {
    if (error instanceof OtherBytesError)
      this.failures.count(
        new StorageFailure('The storage returned other bytes than were stored.', 'unavailable'),
      );
    throw error;
  }

  /** @throws OtherBytesError when the store sends others than were stored */
  private async read({ blobId, sha256 }: CompleteFile): Promise<Buffer> {
    const bytes = await buffer(await this.blobs.open({ id: blobId }));
    if (hash('sha256', bytes) !== sha256) throw new OtherBytesError();
    return bytes;
  }

  private async verifyManifest(main: CompleteFile, files: readonly UploadedFile[]): Promise<VerifiedContent> {
    if (main.sizeInBytes > MAX_MANIFEST_BYTES) {
      throw new InvalidRequestError(
        `The manifest is larger than ${MAX_MANIFEST_BYTES} bytes.`,
        'invalid_manifest',
      );
    }
    const manifest = parseManifest(decodeManifest(await this.read(main)));
    verifyManifest(manifest, files);
    const carried = await findCarriedManifest(manifest, (href) =>
      this.read(files.filter(isComplete).find((file) => file.href === href) ?? main),
    );
    const paths = manifest.map(({ href }) => href);
    const signatures = new Map(files.map(({ href, signature }) => [href, signature]));
    const delivered = manifest.map(({ href, checksum }) => ({
      href,
      sha256: checksum,
      signature: signatures.get(href) ?? null,
    }));
    return {
      manifest,
      carried,
      unflagged: [],
      warnings: findPathWarnings('manifest', paths),
      contentDigest: contentDigest('manifest', null, delivered),
    };
  }
}

async function verifyZip(
  open: OpenRange,
  { signature, sizeInBytes }: CompleteFile,
): Promise<VerifiedContent> {
  const { problems, warnings, manifest, unflagged, files } = await inspectZip(open, sizeInBytes);
  if (problems.length > 0) throw refusal('The zip is not valid', 'invalid_zip', 'zip', problems);
  const unpacked = files.map((file) => ({ ...file, signature: null }));
  const content = { manifest, carried: null, contentDigest: contentDigest('zip', signature, unpacked) };
  if (signature === null) return { ...content, unflagged, warnings };
  const paths = unflagged.map(({ path }) => path);
  return { ...content, unflagged: [], warnings: [...warnings, ...missingFlagsWarning(paths)] };
}

async function requireValidSignatures(
  files: readonly CompleteFile[],
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return;
  const invalid = await new SignatureVerifier(keys).findInvalid(files);
  if (invalid.length === 0) return;
  throw invalidSignature(
    'files',
    invalid.map((file) => `${nameOf(file)} has a signature by no key of the app`),
  );
}

function manifestFile(files: readonly UploadedFile[]): CompleteFile {
  const file = files.find(({ href }) => href === MANIFEST_HREF);
  if (file === undefined || !isComplete(file)) {
    throw new InvalidRequestError(`The bundle has no ${MANIFEST_HREF}.`, 'incomplete_bundle');
  }
  return file;
}

function zipFile(files: readonly UploadedFile[], fileId: string | null): CompleteFile {
  const [file] = files;
  if (fileId !== null && file?.id !== fileId) {
    throw invalidField('appBundleFileId', 'appBundleFileId must be the id of a file of this bundle.');
  }
  if (file === undefined || !isComplete(file)) {
    throw new InvalidRequestError('The zip of the bundle was not uploaded.', 'incomplete_bundle');
  }
  return file;
}

/** Whether devices download a file: those that a manifest does not list may be unsigned. */
function isDelivered(
  type: BundleType,
  manifest: readonly ManifestItem[] | null,
): (file: CompleteFile) => boolean {
  if (type === 'zip') return () => true;
  const listed = new Set(manifest?.map(({ href }) => href)).add(MANIFEST_HREF);
  return ({ href }) => listed.has(href);
}

/** The path of a file; a zip has none. */
function nameOf({ href }: UploadedFile): string {
  return href === '' ? 'the zip' : href;
}

function fingerprintOf(files: readonly UploadedFile[], keys: readonly string[]): string {
  return JSON.stringify([
    keys,
    files.map(({ id, href, blobId, signature }) => [id, href, blobId, signature]),
  ]);
}
