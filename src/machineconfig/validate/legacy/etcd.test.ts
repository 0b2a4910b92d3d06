import { expect, test } from 'vitest'
import { etcdProblems } from './etcd.ts'

const ca = { crt: 'QQ==' }

test.for([
  [{}, ['key/cert combination should not be empty']],
  [{ ca }, []],
  [{ ca, subnet: '10.0.0.0/8' }, []],
  [{ ca, subnet: 'x' }, ['etcd advertised subnet is not valid: "x"']],
  [
    { ca, subnet: 'x', advertisedSubnets: ['10.0.0.1'] },
    ["etcd subnet can't be set when advertised subnets are set"],
  ],
  [
    { ca, advertisedSubnets: ['!y'] },
    ['etcd advertised subnet is not valid: "y"', 'etcd listen subnet is not valid: "y"'],
  ],
  [
    { ca, advertisedSubnets: ['y'], listenSubnets: ['z'] },
    ['etcd advertised subnet is not valid: "y"', 'etcd listen subnet is not valid: "z"'],
  ],
] as const)('etcd %j', ([etcd, problems]) => {
  expect([...etcdProblems(etcd)]).toEqual(problems)
})
