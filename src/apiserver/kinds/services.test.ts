import { expect, test } from 'vitest'
import type { Fields } from '#apiserver/objects.ts'
import { ClusterAddresses } from './cluster-addresses.ts'
import { servicesIn } from './services.ts'

function warningsOf(spec: Fields, metadataErrors = 0): string[] {
  const warnings: string[] = []
  const behaviour = servicesIn(new ClusterAddresses())
  const object: Fields = { metadata: { name: 'a' }, spec: { ports: [{ port: 80 }], ...spec } }
  const context = {
    user: { name: 'someone', groups: [] },
    now: '2026-01-01T00:00:00Z',
    dryRun: false,
    warn: (text: string) => void warnings.push(text),
    metadataErrors: Array.from({ length: metadataErrors }, () => ({
      field: 'metadata',
      reason: 'FieldValueInvalid' as const,
      message: 'x',
    })),
  }
  behaviour.setDefaults?.(object)
  behaviour.prepareCreate?.(object, context)
  behaviour.validate?.(object, undefined, context)
  return warnings
}

const externalIPs = ['1.1.1.1']
const deprecated =
  'spec.externalIPs is deprecated and may no longer be implemented in some clusters'

test.each<[Fields, string[]]>([
  [{}, []],
  [{ externalIPs }, [deprecated]],
  [{ externalIPs, clusterIP: 'None' }, ['spec.externalIPs is ignored for headless services']],
  [
    { clusterIP: 'None', sessionAffinity: 'ClientIP' },
    ['spec.SessionAffinity is ignored for headless services'],
  ],
  [
    { externalName: 'a.com' },
    ['spec.externalName is ignored when spec.type is not "ExternalName"'],
  ],
  [
    { type: 'ExternalName', externalName: 'a.com', externalIPs },
    ['spec.externalIPs is ignored when spec.type is "ExternalName"'],
  ],
])('a service is taken with warnings: %j', (spec, warnings) => {
  expect(warningsOf(spec)).toEqual(warnings)
})

test('nobody is warned of a service that is refused', () => {
  expect(warningsOf({ externalIPs, ports: [] })).toEqual([])
  expect(warningsOf({ externalIPs }, 1)).toEqual([])
})
