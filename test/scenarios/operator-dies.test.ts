import { beforeAll, expect, test } from 'vitest'
import { type Created, created } from './operator-dies.cases.ts'

// Each call in each way takes minutes: `make conformance` has them all. These are the ones that matter most.

const SUBNET = '127.80.2'
const LONG = 120_000

let clean: Created
beforeAll(async () => {
  clean = await created(SUBNET)
}, LONG)

test.each([
  { how: 'killed after', at: 'POST secrets/one-secrets' },
  { how: 'killed before', at: `configuration.apply ${SUBNET}.1` },
  { how: 'reply lost', at: `configuration.apply ${SUBNET}.2` },
  { how: 'killed after', at: `bootstrap ${SUBNET}.1` },
  { how: 'reply lost', at: `bootstrap ${SUBNET}.1` },
] as const)(
  'the cluster is the same in the end if the operator is, as to "$at": $how',
  {
    timeout: LONG,
  },
  async (interruption) => {
    const { state, interrupted } = await created(SUBNET, interruption)

    expect(interrupted).toBe(true)
    expect(state).toEqual(clean.state)
  },
)
