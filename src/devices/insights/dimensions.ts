/** By what devices can be grouped, and the expression for a row of `devices`; empty for none. */
export const dimensions = {
  channel: `coalesce(coalesce(forced_channel_id, channel_id)::text, '')`,
  bundle: `coalesce(bundle_id::text, '')`,
  appVersionName: 'app_version_name',
  appVersionCode: 'app_version_code',
  platform: `CASE platform WHEN 0 THEN 'android' WHEN 1 THEN 'ios' ELSE 'electron' END`,
  country: `coalesce(country, '')`,
} as const;
export type Dimension = keyof typeof dimensions;
export const dimensionNames = Object.keys(dimensions) as Dimension[];

/** All devices of an app together. */
export const ALL = 'all';
/** Devices by channel and bundle, as `<channel>/<bundle>`: for the adoption of deployments. */
export const CHANNEL_AND_BUNDLE = 'channel/bundle';

/** Values of a dimension that a day keeps; devices with others are counted together. Devices say what they like. */
export const MAX_VALUES = 100;
/** Pairs of channel and bundle that a day keeps. */
export const MAX_PAIRS = 1000;
/** A country with fewer devices in thirty days is not shown. */
export const MIN_DEVICES_OF_COUNTRY = 5;
