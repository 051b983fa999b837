import { constants } from 'node:os';
import { expect, test } from 'vitest';
import { type DiskFault, diskFault, saysNoSpace } from './disk-fault.ts';

/** As Node tells of what a system call has failed with. */
function nodeError(name: 'EDQUOT' | 'ENOSPC' | 'EROFS' | 'EMFILE' | 'ENFILE' | 'EACCES'): Error {
  const errno = -constants.errno[name as keyof typeof constants.errno];
  const code = name === 'EDQUOT' ? `Unknown system error ${errno}` : name;
  return Object.assign(new Error(`${code}: ${name === 'EDQUOT' ? code : 'in words'}, write`), {
    errno,
    code,
    syscall: 'write',
  });
}

test.each([
  ['ENOSPC', 'no-space'],
  ['EDQUOT', 'no-space'],
  ['EROFS', 'read-only'],
  ['EMFILE', 'too-many-files'],
  ['ENFILE', 'too-many-files'],
  ['EACCES', undefined],
] as const)('%s is %s', (name, fault: DiskFault | undefined) => {
  expect(diskFault(nodeError(name))).toBe(fault);
  expect(saysNoSpace(`survest: ${nodeError(name).message}`)).toBe(fault === 'no-space');
});

test('what is no error of the file system is no fault of the disk', () => {
  for (const error of [new Error('ENOSPC'), 'ENOSPC', undefined, { code: 'ENOSPC' }])
    expect(diskFault(error)).toBeUndefined();
});
