import { describe, expect, it } from 'vitest'
import type { Fields } from '#apiserver/objects.ts'
import { establishedStatus, takenBy } from './establish.ts'

const names = (plural: string, rest: Fields = {}): Fields => ({
  plural,
  singular: plural.slice(0, -1),
  kind: plural.toUpperCase(),
  listKind: `${plural.toUpperCase()}List`,
  ...rest,
})
const crdOf = (wanted: Fields, rest: Fields = {}): Fields => ({
  spec: { group: 'example.com', names: wanted },
  status: { acceptedNames: { plural: '', kind: '' }, conditions: null, storedVersions: ['v1'] },
  ...rest,
})
const none = takenBy([], 'example.com')
const now = '2026-01-01T00:00:00Z'

describe('the status of a CRD', () => {
  it('accepts names that are free, and is established', () => {
    expect(establishedStatus(crdOf(names('cs')), none, now)).toEqual({
      storedVersions: ['v1'],
      acceptedNames: names('cs'),
      conditions: [
        {
          type: 'NamesAccepted',
          status: 'True',
          reason: 'NoConflicts',
          message: 'no conflicts found',
          lastTransitionTime: now,
        },
        {
          type: 'Established',
          status: 'True',
          reason: 'InitialNamesAccepted',
          message: 'the initial names have been accepted',
          lastTransitionTime: now,
        },
      ],
    })
  })

  it('stays as it is when nothing changes', () => {
    const status = establishedStatus(crdOf(names('cs')), none, now)

    expect(
      establishedStatus(crdOf(names('cs'), { status }), none, '2030-01-01T00:00:00Z'),
    ).toBeUndefined()
  })

  const other = crdOf(names('ds'), {
    status: { acceptedNames: names('ds', { shortNames: ['q', 'w'] }) },
  })

  it.each<[wanted: Fields, reason: string, message: string]>([
    [names('ds'), 'ListKindConflict', '"DSList" is already in use'],
    [names('cs', { singular: 'd' }), 'SingularConflict', '"d" is already in use'],
    [names('cs', { kind: 'DS' }), 'KindConflict', '"DS" is already in use'],
    [names('cs', { shortNames: ['q'] }), 'ShortNamesConflict', '"q" is already in use'],
    [
      names('cs', { shortNames: ['q', 'w', 'z'] }),
      'ShortNamesConflict',
      '["q" is already in use, "w" is already in use]',
    ],
  ])('tells of names that are taken: %j', (wanted, reason, message) => {
    const taken = takenBy([other], 'example.com')

    expect(establishedStatus(crdOf(wanted), taken, now)?.conditions).toEqual([
      { type: 'NamesAccepted', status: 'False', reason, message, lastTransitionTime: now },
      {
        type: 'Established',
        status: 'False',
        reason: 'NotAccepted',
        message: 'not all names are accepted',
        lastTransitionTime: now,
      },
    ])
  })

  it('does not mind names of another group', () => {
    expect(takenBy([other], 'other.com').resources.size).toBe(0)
  })

  it('stays established when a new name is taken', () => {
    const status = establishedStatus(crdOf(names('cs')), none, now)
    const changed = crdOf(names('cs', { shortNames: ['q'] }), { status })

    const next = establishedStatus(changed, takenBy([other], 'example.com'), now)

    expect(next).toMatchObject({
      acceptedNames: names('cs'),
      conditions: [
        { type: 'NamesAccepted', status: 'False' },
        { type: 'Established', status: 'True' },
      ],
    })
  })

  it('says who approved it, in groups of the Kubernetes community', () => {
    const crd = crdOf(names('cs'), {
      metadata: { annotations: { 'api-approved.kubernetes.io': 'unapproved, x' } },
      spec: { group: 'x.k8s.io', names: names('cs') },
    })

    expect(establishedStatus(crd, none, now)?.conditions).toContainEqual({
      type: 'KubernetesAPIApprovalPolicyConformant',
      status: 'False',
      reason: 'UnapprovedAnnotation',
      message: 'not approved: "unapproved, x"',
      lastTransitionTime: now,
    })
  })
})
