import { isUdid } from '../../common/provisioning-profiles.js';
import { readPlist, valueOf } from '../../common/read-plist.js';
import { readSignedMessage } from '../artifact-readers/signers/signed-message.js';
import type { DeviceAttributesReading } from './reading.js';

const MAX_CHALLENGE = 4000;

/** Reads what a device answers to a profile service: a signed property list. The signature is not verified. */
export function readDeviceAttributes(file: Buffer): DeviceAttributesReading {
  try {
    const attributes = readPlist(readSignedMessage(file).content ?? Buffer.alloc(0));
    const [udid, challenge] = [valueOf(attributes, 'UDID'), textOf(valueOf(attributes, 'CHALLENGE'))];
    if (isUdid(udid) && challenge !== null) return { facts: { udid, challenge } };
  } catch {
    // It is none.
  }
  return { failure: { field: 'file', message: 'file is no signed answer of a device.' } };
}

/** Devices send it back as text or as data. */
function textOf(value: unknown): string | null {
  const text = value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value;
  return typeof text === 'string' && text.length <= MAX_CHALLENGE ? text : null;
}
