import { expect, test } from 'vitest'
import { Machine } from '#api/machine.ts'
import { finalizerOf, type KubeObject, type ObjectMeta } from '#api/meta.ts'
import { fingerprint } from '#base/fingerprint.ts'
import { ourPartOf } from './status.ts'
import { firstUrgencyOf, mattersBesides, mattersTo, urgencyOf } from './wakes.ts'

const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: 'owner-uid' }

const ready = (status: string, type = 'Ready') => ({
  ...{
    type,
    status,
    reason: 'Known',
    message: 'as it is',
    lastTransitionTime: '2030-01-01T00:00:00Z',
  },
})

const OLD = { stage: 'booting', conditions: [ready('False')] }
const NEW = { stage: 'running', conditions: [ready('True')] }
const REPORTED = fingerprint(NEW)

const aMachine = (changes: Partial<ObjectMeta> = {}, status: unknown = OLD) => ({
  metadata: { name: 'm1', namespace: 'default', uid: 'first', generation: 3, ...changes },
  status,
})

const held = { finalizers: [finalizerOf(Machine)] }

test.each([
  ['the spec changes', aMachine(), aMachine({ generation: 4 })],
  ['it is to be deleted', aMachine(), aMachine({ deletionTimestamp: '2030-01-01T00:00:00Z' })],
  ['an annotation comes', aMachine(), aMachine({ annotations: { retry: 'now' } })],
  ['an annotation goes', aMachine({ annotations: { a: 'b' } }), aMachine()],
  ['a label changes', aMachine({ labels: { a: '1' } }), aMachine({ labels: { a: '2' } })],
  ['it gets an owner', aMachine(), aMachine({ ownerReferences: [owner] })],
  ['it is another object of the same name', aMachine(), aMachine({ uid: 'second' })],
  ['spec and status change at once', aMachine(), aMachine({ generation: 4 }, NEW)],
])('an edit is when %s', (_what, previous, object) => {
  expect(urgencyOf(Machine, { type: 'changed', object, previous }, REPORTED)).toBe('edit')
})

test.each([
  ['our finalizer is removed by hand', aMachine(held), aMachine()],
  ['somebody writes a status', aMachine(), aMachine({}, { stage: 'lost' })],
  ['the status is wiped', aMachine({}, NEW), aMachine({}, undefined)],
  ['the status is emptied', aMachine({}, NEW), aMachine({}, {})],
  ['a condition is wiped', aMachine({}, NEW), aMachine({}, { stage: 'running', conditions: [] })],
  [
    'a condition of ours is turned',
    aMachine({}, NEW),
    aMachine({}, { ...NEW, conditions: [ready('False')] }),
  ],
])('a change is when %s', (_what, previous, object) => {
  expect(urgencyOf(Machine, { type: 'changed', object, previous }, REPORTED)).toBe('change')
})

test.each([
  ['only the version changes', aMachine(), aMachine({ resourceVersion: '9' })],
  ['our finalizer comes', aMachine(), aMachine(held)],
  ['somebody else’s finalizer goes', aMachine({ finalizers: ['a.b/c'] }), aMachine()],
  ['what we have just reported arrives', aMachine(), aMachine({}, NEW)],
  [
    'it arrives in another order of keys',
    aMachine(),
    aMachine({}, { conditions: NEW.conditions, stage: 'running' }),
  ],
  [
    'keys change their places',
    aMachine({ labels: { a: '1', b: '2' } }),
    aMachine({ labels: { b: '2', a: '1' } }),
  ],
  [
    'somebody writes a condition that is not ours',
    aMachine({}, NEW),
    aMachine({}, { ...NEW, conditions: [ready('True', 'Haunted'), ready('True')] }),
  ],
])('nothing happens when %s', (_what, previous, object) => {
  expect(urgencyOf(Machine, { type: 'changed', object, previous }, REPORTED)).toBeUndefined()
})

test('an object that is new wants a pass as an edit does', () => {
  expect(urgencyOf(Machine, { type: 'added', object: aMachine() }, undefined)).toBe('edit')
})

test('a status that nobody has reported is news, also after a restart', () => {
  const change = { type: 'changed', object: aMachine({}, NEW), previous: aMachine() } as const

  expect(urgencyOf(Machine, change, undefined)).toBe('change')
})

test('our status and our finalizer may arrive together', () => {
  const change = { type: 'changed', object: aMachine(held, NEW), previous: aMachine() } as const

  expect(urgencyOf(Machine, change, fingerprint(ourPartOf(Machine, NEW)))).toBeUndefined()
})

test('an older status of ours that is put back is a change', () => {
  const change = {
    type: 'changed',
    object: aMachine({}, OLD),
    previous: aMachine({}, NEW),
  } as const

  expect(urgencyOf(Machine, change, REPORTED)).toBe('change')
})

const leaving = { deletionTimestamp: '2030-01-01T00:00:00Z' }

test.each([
  ['a field of the status that they look at changes', aMachine(), aMachine({}, NEW)],
  ['more than the status changes', aMachine(), aMachine({ generation: 4 })],
  ['it is on its way to be gone', aMachine(leaving), aMachine(leaving, { other: 1 })],
])('a change matters to those who name the object when %s', (_what, previous, object) => {
  expect(mattersTo({ statusFields: ['stage'] }, { type: 'changed', object, previous })).toBe(true)
})

test('any change matters to those who look at all of a status', () => {
  const change = { type: 'changed', object: aMachine({}, NEW), previous: aMachine() } as const

  expect(mattersTo({}, change)).toBe(true)
})

test('an object that comes or goes matters to those who name it', () => {
  for (const type of ['added', 'removed'] as const) {
    expect(mattersTo({ statusFields: [] }, { type, object: aMachine() })).toBe(true)
  }
})

test('what nobody looks at in a status matters to nobody who names the object', () => {
  const change = { type: 'changed', object: aMachine({}, NEW), previous: aMachine() } as const

  expect(mattersTo({ statusFields: [] }, change)).toBe(false)
  expect(mattersTo({ statusFields: ['uuid', 'toString'] }, change)).toBe(false)
})

test('an annotation that is declared quiet wakes nobody who names the object', () => {
  const quiet = { statusFields: [], quietAnnotations: ['turns'] }
  const noting = (annotations: Record<string, string>) => aMachine({ annotations })
  const matters = (object: KubeObject, previous: KubeObject) =>
    mattersTo(quiet, { type: 'changed', object, previous })

  expect(matters(noting({ turns: '1' }), aMachine())).toBe(false)
  expect(matters(noting({ turns: '2' }), noting({ turns: '1' }))).toBe(false)
  expect(matters(noting({ turns: '2', other: '1' }), noting({ turns: '1' }))).toBe(true)
})

test('those who are woken by a field of a status are woken by nothing else', () => {
  const declared = { wakingStatus: ['stage'] }
  const matters = (object: KubeObject, previous: KubeObject) =>
    mattersBesides(declared, { type: 'changed', object, previous })

  expect(matters(aMachine({}, NEW), aMachine())).toBe(true)
  expect(matters(aMachine({}, { ...OLD, other: 1 }), aMachine())).toBe(false)
  expect(matters(aMachine({ generation: 4 }), aMachine())).toBe(false)
  expect(mattersBesides(declared, { type: 'added', object: aMachine() })).toBe(true)
  expect(mattersBesides(declared, { type: 'removed', object: aMachine({}, {}) })).toBe(false)
})

test.each([
  ['was well', aMachine({}, { observedGeneration: 3, conditions: [ready('True')] }), 'resync'],
  ['was not well', aMachine({}, { observedGeneration: 3, conditions: [ready('False')] }), 'change'],
  ['was not judged', aMachine({}, { observedGeneration: 3 }), 'change'],
  [
    'was edited',
    aMachine({ generation: 4 }, { observedGeneration: 3, conditions: [ready('True')] }),
    'edit',
  ],
  ['was made', aMachine({}, undefined), 'edit'],
  [
    'was deleted',
    aMachine({ deletionTimestamp: '2030-01-01T00:00:00Z' }, { observedGeneration: 3 }),
    'edit',
  ],
] as const)(
  'at the start, what %s while nobody ran gets its pass accordingly',
  (_what, object, urgency) => {
    expect(firstUrgencyOf(object)).toBe(urgency)
  },
)
