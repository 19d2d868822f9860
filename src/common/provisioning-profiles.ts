/** What a provisioning profile is for, as builds of iOS apps call their types. */
export const profileTypes = ['development', 'ad-hoc', 'app-store', 'enterprise'] as const;
export type ProfileType = (typeof profileTypes)[number];

/**
 * Whether a profile is for an app.
 *
 * @param profileBundleId of the profile, without the prefix of the team: `com.example.app`, `com.example.*` or `*`
 * @param bundleId of the app
 */
export function coversBundleId(profileBundleId: string, bundleId: string): boolean {
  if (!profileBundleId.endsWith('*')) return profileBundleId === bundleId;
  const prefix = profileBundleId.slice(0, -1);
  return bundleId.startsWith(prefix) && bundleId.length > prefix.length;
}

/** Of newer devices with a hyphen, of older ones 40 hexadecimal digits. */
const UDID = /^[0-9A-Fa-f-]{24,64}$/;

/** Whether a text looks like the UDID of a device, as profiles list them. */
export function isUdid(text: unknown): text is string {
  return typeof text === 'string' && UDID.test(text);
}
