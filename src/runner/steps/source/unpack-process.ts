import { machineSentence } from '../machine-errors.js';
import { unpackZip } from './unpack-zip.js';

/** What the process reports. `problem`: of the zip; `null`: it is unpacked. `failure`: a sentence about the machine. */
export type UnpackResult = { readonly problem: string | null } | { readonly failure: string };

/** A separate program, which `unpackInProcess` starts: unpacks one zip and ends. Arguments: the zip and the folder. */
const [file = '', folder = ''] = process.argv.slice(2);
// Without its parent nothing would kill it.
process.once('disconnect', () => process.exit());
process.umask(0o022);
let result: UnpackResult;
try {
  result = { problem: await unpackZip(file, folder) };
} catch (error) {
  result = { failure: machineSentence(error) ?? 'The source could not be unpacked.' };
}
process.send?.(result, () => process.exit());
