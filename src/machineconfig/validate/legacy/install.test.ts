import { expect, test } from 'vitest'
import { extensionProblems, extensionWarnings, installProblems } from './install.ts'

const NO_DISK = 'either install disk or diskSelector should be defined'

test.for([
  [{ disk: '/dev/sda' }, []],
  [{ diskSelector: { type: 'ssd' } }, []],
  [{ diskSelector: {} }, []],
  [undefined, ['install instructions are required in "metal" mode']],
  [{}, [NO_DISK]],
  [
    { diskSelector: { name: 'x' } },
    ['install disk selector is invalid: selector on name is not supported', NO_DISK],
  ],
  [
    { disk: '/dev/sda', diskSelector: { type: 'tape' } },
    ['install disk selector is invalid: unsupported disk type "tape"'],
  ],
  [{ disk: 'a', extraKernelArgs: ['a'] }, []],
  [{ disk: 'a', extraKernelArgs: [], grubUseUKICmdline: true }, []],
  [
    { disk: 'a', extraKernelArgs: ['a'], grubUseUKICmdline: true },
    ["install.extraKernelArgs and install.grubUseUKICmdline can't be used together"],
  ],
] as const)('install %j', ([install, problems]) => {
  expect([...installProblems(install)]).toEqual(problems)
})

test('extensions are old, and each is named once', () => {
  const install = { extensions: [{ image: 'a' }, { image: 'b' }, { image: 'a' }] }
  expect([...extensionProblems(install)]).toEqual(['duplicate system extension "a"'])
  expect([...extensionWarnings(install)]).toEqual([
    expect.stringMatching(/^\.machine\.install\.extensions is deprecated, please see https:/),
  ])
  expect([...extensionWarnings({ disk: 'a' })]).toEqual([])
})

test.for(['nvme', 'sd', 'hdd', 'ssd'])('disks are of the type %s', (type) => {
  expect([...installProblems({ diskSelector: { type } })]).toEqual([])
})
