import { expect, test } from 'vitest'
import type { ValueMap } from '#machineconfig/document.ts'
import { conflictCases, laterCases } from './later-verdicts.cases.ts'
import { verdictOn } from './verdicts.cases.ts'

type LaterCase = readonly [kind: string, fields: ValueMap, said: string[]]

const casesIn = (lines: string): LaterCase[] =>
  lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

const LATER = { talosVersion: 'v1.14.1' }

test.each(casesIn(laterCases))('%s %j is judged as by Talos v1.14.1', (kind, fields, said) => {
  const { warnings, errors } = verdictOn([[kind, fields]], LATER)

  expect([...warnings.map((warning) => `WARNING: ${warning}`), ...errors]).toEqual(said)
})

test.each(casesIn(conflictCases))('%s beside %j is as by Talos v1.14.1', (kind, legacy, said) => {
  const all = { machine: {}, cluster: {}, ...legacy }

  const { errors } = verdictOn(
    [
      ['', all],
      [kind, {}],
    ],
    LATER,
  )

  const conflicts = errors.filter((error) => /v1alpha1 config|legacy kubelet/.test(error))
  expect(conflicts).toEqual(said)
})

test('a secret of the wrong length is not shown', () => {
  const fields = { clusterID: 'a', clusterSecret: 'c2hvcnQ=' }

  const { errors } = verdictOn([['DiscoveryIdentityConfig', fields]], LATER)

  expect(errors).toEqual([
    'DiscoveryIdentityConfig: invalid clusterSecret: expected 32 bytes, got 5: ******',
  ])
})
