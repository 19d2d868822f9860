import { randomUUID } from 'node:crypto';
import type { Reply } from '../../stand-in/reply.ts';
import { invalidAttribute, refused, pointerTo, wrongState } from '../apple-error.ts';
import { deliver } from '../delivery/processing.ts';
import type { BuildUpload, BuildUploadFile } from '../state/uploads.ts';
import { readBody } from './body.ts';
import { oneOf, pageOf, type Resource } from './document.ts';
import type { ConnectRequest } from './handle.ts';
import { toFile } from './present.ts';

const ASSET_TYPES = ['ASSET', 'ASSET_DESCRIPTION', 'ASSET_SPI'];
const UTIS = [
  'com.apple.binary-property-list',
  'com.apple.ipa',
  'com.apple.pkg',
  'com.apple.xml-property-list',
  'com.pkware.zip-archive',
];

/** `POST /v1/buildUploadFiles`. It answers how the file is sent. */
export async function createBuildUploadFile(request: ConnectRequest): Promise<Reply> {
  const { connect } = request;
  const { attributes, related } = readBody(request.body, {
    type: 'buildUploadFiles',
    attributes: { assetType: ASSET_TYPES, fileName: 'string', fileSize: 'number', uti: UTIS },
    relationships: { buildUpload: 'buildUploads' },
  });
  const upload = findUpload(request, related['buildUpload'] ?? '');
  const fileSize = Number(attributes['fileSize']);
  if (!Number.isSafeInteger(fileSize) || fileSize < 1)
    throw invalidAttribute('fileSize', `'${fileSize}' is not a valid size`);
  if (upload.state !== 'AWAITING_UPLOAD' || upload.file !== null)
    throw wrongState('The build upload has a file of this type already.');
  const id = randomUUID();
  const file: BuildUploadFile = {
    id,
    upload,
    fileName: String(attributes['fileName']),
    fileSize,
    uti: String(attributes['uti']),
    assetType: String(attributes['assetType']),
    operations: await connect.storage.operationsFor(id, fileSize),
    received: new Set(),
    state: 'AWAITING_UPLOAD',
    errors: [],
    commits: 0,
    sha256: null,
  };
  upload.file = file;
  connect.storage.files.set(id, file);
  return oneOf(presented(request, file), request.query, request, 201);
}

/** With the operations that a test wants. */
function presented({ connect }: ConnectRequest, file: BuildUploadFile): Resource {
  return toFile({ ...file, operations: connect.hostile(file.operations) });
}

function findUpload({ state, key }: ConnectRequest, id: string): BuildUpload {
  try {
    return state.upload(key.team, id);
  } catch {
    throw refused(
      409,
      'ENTITY_ERROR.RELATIONSHIP.INVALID',
      'The provided entity includes a relationship with an invalid value',
      `There is no resource of type 'buildUploads' with id '${id}'`,
      pointerTo('/data/relationships/buildUpload'),
    );
  }
}

/** `GET /v1/buildUploadFiles/{id}`. */
export function getBuildUploadFile(request: ConnectRequest): Reply {
  const file = request.state.file(request.key.team, request.id);
  return oneOf(presented(request, file), request.query, request);
}

/** `GET /v1/buildUploads/{id}/buildUploadFiles`. */
export function listBuildUploadFiles(request: ConnectRequest): Reply {
  const { file } = request.state.upload(request.key.team, request.id);
  return pageOf(file === null ? [] : [presented(request, file)], request.query, request);
}

/** `PATCH /v1/buildUploadFiles/{id}`. Its refusals are not documented: their codes are those of other resources. */
export async function commitFile(request: ConnectRequest): Promise<Reply> {
  const file = request.state.file(request.key.team, request.id);
  const { attributes } = readBody(request.body, {
    type: 'buildUploadFiles',
    id: file.id,
    attributes: { 'uploaded?': 'boolean', 'sourceFileChecksums?': 'object' },
  });
  if (attributes['uploaded'] === true) {
    file.commits += 1;
    if (file.state !== 'AWAITING_UPLOAD') throw wrongState('The file was already uploaded.');
    const missing = file.operations.filter(({ partNumber }) => !file.received.has(partNumber));
    if (missing.length > 0) {
      const parts = missing.map(({ partNumber }) => partNumber).join(', ');
      throw wrongState(`The file can not be set to uploaded: these parts are missing: ${parts}.`);
    }
    await deliver(request.connect, file);
  }
  return oneOf(presented(request, file), request.query, request);
}
