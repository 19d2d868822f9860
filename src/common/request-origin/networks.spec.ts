import { isAddressOrNetwork, isInNetworks, networkOf, siteNetworkOf } from './networks.js';

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['::1', '::/64'],
  ['::', '::/64'],
  ['1::', '1::/64'],
  ['', ''],
])('%j counts as %j', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

it.each(['192.0.2.7', '192.0.2.7/0', '10.0.0.0/8', '192.0.2.7/32', '::', '2001:db8::/32', '2001:db8::1/128'])(
  'accepts %j',
  (text) => {
    expect(isAddressOrNetwork(text)).toBe(true);
  },
);

it.each([
  '',
  'localhost',
  '10.1',
  '10.1/8',
  '192.0.2.7/33',
  '192.0.2.7/',
  '::/129',
  '10.0.0.0/8/8',
  '10.0.0.0/a',
])('refuses %j', (text) => {
  expect(isAddressOrNetwork(text)).toBe(false);
});

it('finds addresses in networks of their family', () => {
  const networks = ['192.0.2.0/24', '198.51.100.7', '2001:db8::/32', '2001:db9::1', '10.1.2.3/8'];
  const inside = ['192.0.2.255', '198.51.100.7', '2001:db8:1::5', '2001:db9::1', '10.255.0.1'];
  const outside = ['192.0.3.0', '198.51.100.8', '2001:db9::2', '11.0.0.1', '', 'unknown', '1.2.3.4:80', null];
  expect(inside.map((address) => isInNetworks(address, networks))).not.toContain(false);
  expect(outside.map((address) => isInNetworks(address, networks))).not.toContain(true);
  expect(isInNetworks('203.0.113.1', ['0.0.0.0/0'])).toBe(true);
  expect(isInNetworks('2001:db8::1', ['0.0.0.0/0'])).toBe(false);
  expect(isInNetworks('2001:db8::1', ['::/0'])).toBe(true);
  expect(isInNetworks('203.0.113.1', [])).toBe(false);
});

it.each([
  ['192.0.2.7', '192.0.2.0/24'],
  ['2001:db8:1:2::1', '2001:db8:1::/48'],
])('the network of the site of %j is %j', (address, network) => {
  expect(siteNetworkOf(address)).toBe(network);
});
