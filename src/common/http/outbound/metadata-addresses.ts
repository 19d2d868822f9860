/**
 * Services of cloud platforms that give credentials to every program on a machine. No setting opens them, neither for
 * calls of the server nor for builds, because they lie in networks that operators allow for other reasons.
 */
export const METADATA_IPV4 = [
  '169.254.169.254', // AWS, Azure, Google Cloud and most others
  '169.254.170.2', // AWS containers
  '169.254.170.23', // AWS pods
  '169.254.0.23', // Tencent Cloud
  '168.63.129.16', // Azure, in the public range
  '100.100.100.200', // Alibaba Cloud
  '192.0.0.192', // Oracle Cloud
] as const;

/** The same services over IPv6. */
export const METADATA_IPV6 = [
  'fd00:ec2::254', // AWS
  'fd00:ec2::23', // AWS pods
  'fd20:ce::254', // Google Cloud
] as const;
