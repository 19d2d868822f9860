import { rolesOfGroups } from './oidc.service.js';

const acme = '0199b0c2-7c1e-7bd3-a3c1-4c29f4a7d8aa';
const other = '0199b0c2-7c1e-7bd3-a3c1-4c29f4a7d8ab';
const mapping = [
  { group: 'staff', organizationId: acme, role: 'viewer' },
  { group: 'developers', organizationId: acme.toUpperCase(), role: 'member' },
  { group: 'developers', organizationId: other, role: 'viewer' },
  { group: 'leads', organizationId: acme, role: 'owner' },
] as const;

it('gives the highest role of all groups, in each organization', () => {
  expect([...rolesOfGroups(['staff', 'developers'], mapping)]).toEqual([
    [acme, 'member'],
    [other, 'viewer'],
  ]);
  expect([...rolesOfGroups(['leads', 'developers', 'staff'], mapping)]).toEqual([
    [acme, 'owner'],
    [other, 'viewer'],
  ]);
});

it('gives nothing for groups that are not mapped, and takes names as they are', () => {
  expect(rolesOfGroups(['Staff', 'staff ', '', 'constructor'], mapping).size).toBe(0);
  expect(rolesOfGroups([], mapping).size).toBe(0);
});
